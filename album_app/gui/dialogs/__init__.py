"""Windows of their own, and printing.

- about: what the Help menu opens: the About box and the list of shortcuts
- lost_photos: photos that can no longer be read: what the user wants in their cells, and looking for them in another
  folder
- compare: two versions of the sheet side by side, steps of undo or saved projects, with their scores below
- export: the export dialog, in a folder of its own
- near_duplicate_groups: the groups of near-duplicates as small pictures, each to be ticked, before any of them is
  stacked
- preferences: the preferences: one control per line of the table, at work as soon as it is changed
- printing: printing the sheet: the system's dialog, then the export's own drawing at the printer's resolution
"""
