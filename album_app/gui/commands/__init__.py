"""The table of actions, and what each does.

- actions: every action of the program as one table: menus, shortcuts, context menus and the shortcut sheet come from
  it
- file_commands: opening, saving, exporting: what the File menu does
- file_manager: showing a file where it lies, with whatever file manager the system has
- photo_commands: what can be done with the selected photos
- pin_commands: pins by the handful: corners, edges, letters, suggestions, CSV files
- predicates: when an action makes sense
- stack_commands: stacks of near-duplicates: laying them, opening one, choosing what it shows, taking it apart, and
  their list
- view_commands: how the sheet is looked at, and how the program looks
- work_commands: what runs in the background: arranging again, and stopping what the user sees
- workspace_parts: what commands need of the middle of the window, whatever builds it
"""
