"""The export dialog.

- form: the form of the export dialog: which controls a format has, the choices made in them, and the size that
  results
- foot: the foot of the export dialog: progress, messages and buttons
- preview: the preview in the export dialog
- dialog: the export dialog: preview on the left, the form on the right, facts about the file below
"""
