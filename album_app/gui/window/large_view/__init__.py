"""Photos seen large over the whole window, and what can be done with them there.

- controls: the line of facts below a photo, the buttons (arrows and close on the photo, the others at the end of that
  line), and the edits that they make, with their undo
- crop_mode: choosing the part of a photo that its frame shows, over the whole photo
- lightbox: the widget: opens, closes, goes from photo to photo, and hands keys and pointer to what they mean
- panes: one to four photos, each in a part of the view: where they lie, how far each is zoomed and moved, and how they
  are painted
- neighbours: the photos before and after the current one: where the arrows lead (over the sheet, through a stack, or
  along the list of the tray), and the strip that shows them
"""
