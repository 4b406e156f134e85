"""Painters draw a page plan: as pixels, as PDF or as SVG.

- pixels: a sheet as one picture in memory
- tiles: photos fitted to their tiles: originals decoded again in threads, or thumbnails, with a stand-in
- profile: the sRGB profile that every written sheet carries
- pdf: a sheet as a page of vectors: every photo its own embedded picture, text as text, the paper's exact size
- pdf_file: the bones of a PDF file: numbered objects, streams, and the table that says where each one is
- poster: a poster over many small pages: what each of them shows, and the marks that help to put them together
- svg: a sheet as SVG: every photo an embedded picture, text as text
"""
