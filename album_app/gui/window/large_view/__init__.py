"""Photos seen large over the whole window, and what can be done with them there.

- controls: the line of facts below a photo, the buttons (arrows and close on the photo, the others at the end of that
  line), and the edits that they make, with their undo
- crop_mode: choosing the part of a photo that its frame shows, over the whole photo
- lightbox: the widget: opens, closes, goes from photo to photo, and hands keys and pointer to what they mean
- panes: which photos the large view shows and where they lie, zoomed and painted; where its arrows lead, and its
  strip
"""
