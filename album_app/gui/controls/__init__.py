"""Building blocks of panels, bars and dialogs.

- ask_user: questions to the user that never block: files, yes or no, pinning many photos, opening very many photos
- file_drag: photos on their way out of the window and files on their way in
- keyboard_focus: keyboard focus: scrolls the focused control into view, and lets menus return the focus
- bars: bars and lines that tell the user something: the status line, messages, notices and the progress of jobs
- sections: building blocks of the side panel and of dialogs: sections, rows of controls, choice boxes, small pictures
"""
