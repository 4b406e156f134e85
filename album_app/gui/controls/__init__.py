"""Building blocks of panels, bars and dialogs.

- ask_user: questions to the user that never block: files, yes or no, pinning many photos, opening very many photos
- bars: bars and lines that tell the user something: the status line, messages, notices and the progress of jobs
- input: input that Qt does not handle as the program wants it: the keyboard focus, menu keys, the wheel and undo in
  fields, files that are dragged or copied
- sections: building blocks of the side panel and of dialogs: sections, rows of controls, choice boxes, small pictures
"""
