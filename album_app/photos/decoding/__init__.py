"""Picture files to pixels, with bounded time and memory for any content.

- colour: pixels to upright sRGB: deep pixels, colour profiles, and shrinking
- decode: the one decoder: any picture file, also a broken one, to an upright sRGB image, reduced as early as its
  format allows
- measures: numbers measured of a thumbnail: its fingerprint, which tells near-duplicates from other photos, and its
  quality
- font_facts: what a font file holds, read by a process within limits: only a font that passes this trial is opened
  elsewhere
- header: what a file's header says of a photo: its size, when it was taken and with what, and what people noted about
  it
- image_formats: the picture formats that are read, recognised by a file's first bytes, and the mark of sheets that this
  program wrote
- preview: the small picture that cameras put into the EXIF data of a JPEG: read without decoding the photo itself
- raw: cameras' raw files: seen through the preview that the camera put in, developed only where that is too small
"""
