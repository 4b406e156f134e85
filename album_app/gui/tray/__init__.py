"""The tray: the list of the album's photos next to the sheet.

- delegate: how an entry of the tray looks: a square in a grid, or a row with words where there is something to tell
- facet_bar: the row that narrows the list by folder, keyword or a column of the table
- model: the photos of the tray as a Qt model, with filter, order and search by name
- photo_list: the list of the tray; photos are picked out of it by our own mouse events, so a drag inside the window
  is ours
- tray: the tray: the photos of the album in a list, with search, filter and months above it
"""
