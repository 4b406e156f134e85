"""Files to arrays: any folder of photos becomes an album, thumbnails and feature vectors.

- album: an album: the photos of some folders and files in a natural order, and what was skipped and why
- cache: thumbnails and features on disk, in one SQLite file that is never needed: whatever is wrong with it, work
  goes on
- colour: any mode of picture to 8-bit sRGB: deep and palette pixels, transparency, embedded profiles
- database: a SQLite file that may fail at any time: locked, corrupt, read-only or gone, it is rebuilt or done without
- decode: the one decoder: any picture file to an upright sRGB image, reduced as early as its format allows
- deep_pixels: pictures with 16 bits a channel: shown as they are, or by their real range where that is a small part
  of it
- features: features: photos as rows of numbers, near each other where the photos look alike
- header: what a file's header tells of a photo: its size as displayed and when it was taken
- helper_process: helper processes: a module of this program run by a process of its own, so that the window's never
  waits for it
- image_formats: the kinds of picture that are read, told by a file's first bytes, and words for those that are not
- in_threads: work on many files in a few threads, which a stop request ends at once even while a file takes its time
- names: names of photos: their order, their uniqueness, and a form of them that can always be shown
- originals: the user's photos are only ever read: what is written must not be one of them
- salvage: what is left of a JPEG that was cut short or broken: its rows so far, or the coarse picture of a
  progressive one
- thumbnails: thumbnails of many photos: from the cache where it has them, decoded in threads where not
- twins: near-duplicates: photos that are the same picture saved, scaled, retouched or taken again a moment later
- walk: lists the files under folders without opening any, whatever else lies about there
"""

from typing import TYPE_CHECKING

from album_app.lazy import fetching

if TYPE_CHECKING:
    from album_app.photos.album import Album, Photo, Skipped
    from album_app.photos.album import scan as open_album
    from album_app.photos.features.whole_album import album_features as extract

__all__ = ["Album", "Photo", "Skipped", "extract", "open_album"]
__getattr__ = fetching(
    __name__,
    {name: ("album", name) for name in ("Album", "Photo", "Skipped")}
    | {"open_album": ("album", "scan"), "extract": ("features.whole_album", "album_features")},
)
