"""The table of actions, and what each does.

- actions: the table of actions: menu, title, key, icon, and the condition under which each is enabled
- file_commands: opening, saving, exporting: what the File menu does
- photo_commands: what the Photo menu does: copy, find similar ones and outliers, exclude, open in other programs; show
  groups of near-duplicates, stack them, take stacks apart, write their list
- pin_commands: pins by the handful: corners, edges, letters, suggestions, CSV files
- view_commands: how the sheet is looked at, arranged again and stopped, how the program looks, and the parts commands
  act on
"""
