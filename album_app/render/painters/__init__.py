"""Painters draw a page plan: as pixels, as PDF or as SVG.

- pixels: A sheet as one picture in memory, and the sRGB profile that every written sheet carries
- tiles: photos fitted to their tiles: originals decoded again in threads, or thumbnails, with a stand-in
- pdf: PDF: a page as vector text and embedded photos, cut into a poster's sheets where asked for
- svg: a sheet as SVG: every photo an embedded picture, text as text
"""
