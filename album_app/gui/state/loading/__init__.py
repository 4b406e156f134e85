"""From paths to pictures, vectors and features.

- decode_process: reading photos in a helper process: decoding competes with nobody for the interpreter that paints
  the window
- load_steps: what the loading threads do: folders to documents, photos to thumbnails and colours, albums to features
- loading: from dropped paths to a living sheet: scan, then thumbnails and colours as they come, then the wanted
  features
"""
