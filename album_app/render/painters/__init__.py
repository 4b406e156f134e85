"""Painters draw a page plan: as pixels, as PDF or as SVG.

- pixels: a sheet, or some rows of it, as a picture in memory, and the sRGB profile that every written sheet carries
- bands: a sheet drawn band by band from top to bottom, so that memory never holds more than a few of its rows
- tiles: photos fitted to their tiles: originals decoded again in threads, or thumbnails, with a stand-in
- pdf: PDF: a page as vector text and embedded photos, with its page boxes (media, bleed, trim), cut into a poster's
  sheets where asked for
- svg: a sheet as SVG: every photo an embedded picture, text as text
"""
