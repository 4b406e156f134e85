"""The table of actions, and what each does.

- actions: the table of actions: menu, title, key, icon, and the condition under which each is enabled
- file_commands: what the File menu does: open, save, export, and look for missing photos
- photo_commands: what the Photo menu does: copy, find similar photos and outliers, exclude, open in other programs;
  show groups of near-duplicates, stack them, take stacks apart, write their list
- pin_commands: several pins at once: corners, edges, letters, the timeline, suggestions, CSV files
- view_commands: zoom, overlays, panels and themes; arranging again and cancelling; undo and redo; the Help menu
"""
