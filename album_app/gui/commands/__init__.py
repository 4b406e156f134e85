"""The table of actions, and what each does.

- actions: the table of actions: menu, title, key, icon, and the condition under which each is enabled
- file_commands: opening, saving, exporting: what the File menu does
- photo_commands: what the actions on photos do: copy, find similar ones and outliers, exclude, open in other programs
- pin_commands: pins by the handful: corners, edges, letters, suggestions, CSV files
- stack_commands: stacks of near-duplicates: showing the groups and stacking them, opening one, choosing what it shows,
  taking it apart, and their list
- view_commands: how the sheet is looked at, and how the program looks
- work_commands: what runs in the background: arranging again, and stopping what the user sees
- workspace_parts: the parts of the workspace that commands need, independent of the class that builds them
"""
