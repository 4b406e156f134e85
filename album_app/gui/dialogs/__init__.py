"""Windows of their own, and printing.

- colour_box: a choice of colours: a few good ones, transparent, and any other
- export: the export dialog: settings on one side, the sheet as it will be on the other
- export_choice: what an export dialog is left with: a kind of file and how it is drawn
- export_facts: what is known about an export before it is made: its size, and what will not be as good as one may
  think
- export_foot: what the file will be, how far it is, and the dialog's buttons
- export_form: the settings of an export as a form: one control per setting, presets that fill several
- export_size: how large an export will be, found out in the background by writing some of its photos
- export_target: where an export goes unless the user says otherwise: where people look for it, never among the album's
  photos
- lost_photos: before a sheet is drawn for good: photos that can no longer be read, and what the user wants in their
  cells
- many_photos: the question before very many photos are opened: a summary on a sheet of so many cells, or all of them
- paper_fit: fitting the sheet to the paper of an export
- preferences: the preferences: one control per line of the table, at work as soon as it is changed
- preview_pane: the picture of a sheet as large as its place allows
- printing: printing the sheet: the system's dialog, then the export's own drawing at the printer's resolution
- relink: finding photos again that are not where the project says
- shortcuts: the shortcut sheet: every action that has a key, and what the mouse does
"""
