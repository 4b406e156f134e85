"""Picture files to pixels, with bounded time and memory for any content.

- boxes: means over equal boxes of a picture, as products with weights
- colour: pixels to upright sRGB: deep pixels, colour profiles, and shrinking
- decode: the one decoder: any picture file, also a broken one, to an upright sRGB image, reduced as early as its
  format allows
- fingerprint: what tells near-duplicates from other photos: a perceptual hash, coarse colours, detail, aspect and
  sharpness
- quality: measures of a photo's quality by its thumbnail: sharpness, contrast, and how much is all black or all
  white
- font_facts: what a font file holds, read by a process within limits: only a font that passes this trial is opened
  elsewhere
- header: what a file's header says of a photo: its size, when it was taken and with what, and what people noted about
  it
- image_formats: the picture formats that are read, recognised by a file's first bytes, and the mark of sheets that this
  program wrote
- limits: what one file may cost the process that decodes it: memory and processor time, held by the system where it
  can
- preview: the small picture that cameras put into the EXIF data of a JPEG: read without decoding the photo itself
- raw: cameras' raw files: seen through the preview that the camera put in, developed only where that is too small
"""
