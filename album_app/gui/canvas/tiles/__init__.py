"""Square pictures of one size, for canvas and tray.

- placeholders: small drawings on the canvas: tiles of photos without a picture, empty cells, the pin badge; and its
  colours
- tile_cache: tiles for the canvas at the size on screen: rough ones at once, sharp ones as background work delivers
  them
- tiles: square tiles of one size for every photo: scaled once, off the GUI thread, so that painting is copying
"""
