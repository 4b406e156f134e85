"""Building blocks of panels, bars and dialogs.

- ask_user: questions to the user that never block: each calls back with the answer
- choice_box: a list to choose from that changes nothing by accident
- edit_notice: what the status bar says of an edit: its name, and how many photos it left without a cell
- file_drag: photos on their way out of the window and files on their way in
- focus_in_sight: scrolls to the control that has got the keyboard, with some of what is around it
- job_bar: what the status bar says: what is running, how far it is, how long it still takes, and a way to stop it
- menu_focus: menus by keyboard: the way back from the menu bar, and Shift+F10 where there is no menu key
- message_bar: the quiet bar above the sheet: a sentence, and what can be done about it; the program goes on meanwhile
- notice_bar: the status bar: a notice for a while, else what is under pointer or keyboard; what runs; what the sheet is
- sections: building blocks of the side panel: sections that fold, and rows with a label, a control and a value
- shape_preview: a small picture of a shape's cells
- square_picture: a photo as a small square picture, for lists and buttons
- status_line: a sentence that looks like what it says: a note, a success, a warning or an error, by colour and sign
"""
