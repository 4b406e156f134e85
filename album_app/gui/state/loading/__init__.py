"""From paths to pictures, vectors and features.

- decode_process: reading photos in a helper process: decoding competes with nobody for the interpreter that paints
  the window
- former_look: a look that cannot be had gives way to the one before, so that sheet and panel always show the same one
- load_steps: what the loading threads do: folders to documents, photos to thumbnails and colours, albums to features
- loading: from dropped paths to a living sheet: scan, then thumbnails and colours as they come, then the wanted
  features
- remembered_sheet: the sheet of a folder as it was found the last time: as long as its photos are the same, it stands
  at once
- untouched_folder: a folder whose new sheet nobody has changed yet: the sheet is remembered, and files that are no
  photos go from it
"""
