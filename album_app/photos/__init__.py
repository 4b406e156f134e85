"""Files to arrays: any folder of photos becomes an album, thumbnails and feature vectors.

- album: an album: the photos of some folders and files in a natural order, and what was skipped and why
- cache: thumbnails and features on disk, in one SQLite file that forgets what was not used for longest when it is full,
  and is rebuilt when it is damaged
- classes: what photos show: the ten likeliest of ImageNet's classes of each, and the everyday words that cover the
  classes
- decoding: picture files to pixels, with bounded time and memory for any content
- faces: the faces in photos, which crops keep: from the cache, or found by a helper that runs YuNet
- features: photos as rows of numbers, near each other where the photos look alike
- find: photos found by words or by their likeness to others, and those that fit badly anywhere
- facets: what photos can be filtered and coloured by: their folders, their keywords, and the columns of a table
- fonts: the fonts that can be used: the one inside Pillow and those of the system, with what they can draw
- helper_process: a function of this program runs in a process of its own, so that the window never waits for it
- album_features: the features of a whole album: from the cache or extracted, then reduced together, here or by a
  helper process; a draft of them by previews
- near_duplicates: photos that are the same picture saved, scaled, retouched or taken again a moment
  later
- quality: how good photos are in comparison with each other: sharp, rich in contrast, well exposed, large, and rated
  by people
- tables: tables of the user's own: a text file with a line per photo, whose columns become facts about the photos
- text_model: photos compared with a text by a text-image model that the user has installed; nothing is ever
  downloaded
- thumbnails: small pictures of many photos: thumbnails from the cache or decoded in threads, and previews that cameras
  made
- time_order: photos in the order of time; `chapters` divides them among the pages of a book
- walk: lists the files under folders without opening any, and the companions of pictures: raw files, films, sidecars
- records: records written as JSON and arrays, one way for the cache and for the pipes of helper processes
- reading: all that one decoding of a photo gives: its header, its thumbnail, and the features that cost next to
  nothing
- read_once: facts about files, taken from the cache, or read once and then remembered
- sandbox: decodes files in processes of their own, each within limits, so that no file can end this process or fill
  the memory
- sandbox_process: what a decoding process does: one task after the other, each within its limits, until its parent
  is gone
- folder_news: what changed in an album's folders since it was opened or saved: new, changed, moved and missing photos
"""

from typing import TYPE_CHECKING

from album_app import fetching

if TYPE_CHECKING:
    from album_app.photos.album import Album, Photo, Skipped
    from album_app.photos.album import scan as open_album
    from album_app.photos.album_features import album_features as extract

__all__ = ["Album", "Photo", "Skipped", "extract", "open_album"]
__getattr__ = fetching(
    __name__,
    {name: ("album", name) for name in ("Album", "Photo", "Skipped")}
    | {"open_album": ("album", "scan"), "extract": ("album_features", "album_features")},
)
