"""Painters draw a page plan: as pixels, as PDF or as SVG.

- pixels: a sheet as pixels: whole, some rows of it, or band by band so that memory never holds more than a few rows
- tiles: photos fitted to their tiles: originals decoded again in threads, or thumbnails, with a stand-in
- pdf: PDF: a page as vector text and embedded photos, with its page boxes (media, bleed, trim), cut into a poster's
  sheets where asked for
- svg: a sheet as SVG: every photo an embedded picture, text as text
"""
