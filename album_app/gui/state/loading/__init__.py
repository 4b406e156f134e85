"""From paths to pictures, vectors and features.

- decode_process: reading photos in a helper process: decoding competes with nobody for the interpreter that paints
  the window
- former_look: a look that cannot be had gives way to the one before, so that sheet and panel always show the same one
- load_steps: what the loading threads do: folders to documents, or to the sheet that was remembered; photos to
  thumbnails and features
- loading: from dropped paths to a living sheet: scan, then thumbnails and colours as they come, then the wanted
  features
"""
