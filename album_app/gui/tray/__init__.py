"""The tray of photos beside the sheet.

- delegate: how an entry of the tray looks: a square in a grid, or a row with words where there is something to tell
- filter_field: the field above the tray's list: words that names must have; Down or Enter goes on to what was found
- model: what the tray lists: the photos of a section that pass the filter, told on demand so that 10,000 cost nothing
- month_box: a choice of months: photos are listed by the month they were taken in
- name_search: finds words in the names of an album: all names are one text, made a little at a time before anybody
  types
- photo_list: the list of the tray; photos are picked out of it by our own mouse events, so a drag inside the window
  is ours
- tray: the tray: every photo of the album, those without a cell and why, and the files that are no photos
"""
