"""The tray: the list of the album's photos next to the sheet.

- model: the photos of the tray as a Qt model, with filter, order and search by name
- photo_list: the list of the tray: how an entry looks, in a grid or as a row with words, and how photos are picked out
  of it; its mouse events are our own, so a drag inside the window is ours
- tray: the tray: the photos of the album in a list, below sections, search and filters
- filters: what narrows the list of the tray: sections, words, columns of values, months; and where to pin what was
  found
"""
