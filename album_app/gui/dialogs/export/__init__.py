"""The export dialog.

- form: the form of the export dialog: which controls a format has, and the choices made in them
- beginning: what an export begins with: its folder and file name, the choice that is remembered, photos for a cover
- foot: the foot of the export dialog: facts and remarks about the file that results, progress, messages and buttons
- preview: the preview in the export dialog: drawn in the background, zoomed by the wheel, and turned page by page
- cards: what a sheet can become, as cards with this very sheet on them
- dialog: the export dialog: cards above, preview on the left, the form on the right, facts about the file below
- own_sheet: the sheet that is exported where it is not the open one: fitted to a paper, or polished; the session takes
  it over once it was exported
"""
