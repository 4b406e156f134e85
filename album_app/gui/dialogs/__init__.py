"""Windows of their own, and printing.

- about: the About box: the program's icon, its version, what it does, and where to read more
- lost_photos: before a sheet is drawn for good: photos that can no longer be read, and what the user wants in their
  cells
- compare: two versions of the sheet side by side, from the steps of undo, with their scores below
- export: the export dialog, in a folder of its own
- many_photos: the question before very many photos are opened: a summary on a sheet with fewer cells, or all of them
- near_duplicate_groups: the groups of near-duplicates as small pictures, each to be ticked, before any of them is
  stacked
- preferences: the preferences: one control per line of the table, at work as soon as it is changed
- printing: printing the sheet: the system's dialog, then the export's own drawing at the printer's resolution
- relink: finding photos again that are not where the project says
- shortcuts: the shortcut sheet: every action that has a key, and what the mouse does
"""
