"""Photos seen large over the whole window, and what can be done with them there.

- controls: its buttons: arrows and close on the photo, the others at the end of the line of facts
- crop_mode: choosing the part of a photo that its frame shows, over the whole photo
- filmstrip: the photos before and after the current one, in a row below it
- lightbox: the widget: opens, closes, goes from photo to photo, and hands keys and pointer to what they mean
- panes: one to four photos, each in a part of the view: where they lie and how they are painted
- photo_edits: what can be done with a photo there: edits of its own, and their undo
- photo_facts: what the line below a photo says about it
"""
