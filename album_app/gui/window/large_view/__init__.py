"""Photos seen large over the whole window, and what can be done with them there.

- panes: the photos that the large view shows: one, or up to four side by side that are zoomed and moved together
- crop_mode: choosing the part of a photo that its frame shows, over the whole photo
- controls: what lies over and below a photo: buttons and their edits with undo, the line of facts, the strip of
  neighbours, and where the arrows lead
- lightbox: the widget: it opens and closes, goes from photo to photo, and acts on keys and pointer
"""
