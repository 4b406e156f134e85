"""Dialogs with a window of their own.

- about: what the Help menu opens: the About box and the list of shortcuts
- compare: two versions of the sheet side by side, steps of undo or saved projects, with their scores below
- export: the export dialog, which also prints, in a folder of its own
- near_duplicate_groups: the groups of near-duplicates as small pictures, each to be ticked, before any of them is
  stacked
- preferences: the preferences: one control for each row of the table, at work as soon as it is changed
"""
