"""The export dialog.

- cards: what an export starts from: cards with a picture of the sheet on each of them, or the choice of the last export
- form: the form of the export dialog: which controls a format has, and the choices made in them
- foot: the foot of the export dialog: facts and remarks about the file that results, progress, messages and buttons
- preview: the preview in the export dialog: drawn in the background, zoomed by the wheel, and turned page by page
- own_sheet: the sheet that is exported where it is not the open one: fitted to a paper, or polished; the session takes
  it over once it was exported
- writing: writing the sheet to a file or printing it: folder and name of the file, and photos that can no longer be
  read
- dialog: the export dialog: cards above, preview on the left, the form on the right, facts about the file below
"""
