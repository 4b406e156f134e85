"""Painters draw a page plan: as pixels, as PDF or as SVG.

- pixels: a sheet as pixels: whole, some rows of it, or band by band so that memory never holds more than a few rows
- tiles: photos in the size of their tiles: originals decoded again in threads, or thumbnails, with a stand-in
- pdf: PDF: pages of vector text and embedded photos, with page boxes (media, bleed, trim); posters on several pages
- svg: a sheet as SVG: every photo an embedded picture, text as text
"""
