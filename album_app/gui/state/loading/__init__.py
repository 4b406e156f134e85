"""From paths to pictures, vectors and features.

- decode_process: reading photos in a helper process: decoding competes with nobody for the interpreter that paints
  the window
- load_steps: what the loading threads do: folders to documents, or to the sheet that was remembered; photos to
  thumbnails and features
- loading: from dropped paths to a living sheet: scan, thumbnails and colours, features; back to the former look if they
  fail
"""
