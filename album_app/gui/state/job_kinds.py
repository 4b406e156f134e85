"""What background work can be about."""

from enum import StrEnum


class JobKind(StrEnum):
    """One kind of background work; a new job of a kind ends the one before, unless several may run at once."""

    ADD = "add"
    ALTERNATIVES = "alternatives"
    ARRANGE = "arrange"
    AUTOSAVE = "autosave"
    BEHIND = "behind"
    CAMERA = "camera"
    COMPARE = "compare"
    CONFLICTS = "conflicts"
    COPY_SHEET = "copy sheet"
    DETAIL_TILES = "detail tiles"
    DETAILS = "details"
    DISCARD = "discard"
    DROPPED = "dropped"
    EXPORT = "export"
    EXPORT_CARDS = "export cards"
    EXPORT_FOLDER = "export folder"
    EXPORT_PREVIEW = "export preview"
    EXPORT_SIZE = "export size"
    FACETS = "facets"
    FEATURES = "features"
    FIT_PAPER = "fit paper"
    FOCUS = "focus"
    FOLDER = "folder"
    FONTS = "fonts"
    FORESEE = "foresee"
    FORGET = "forget"
    LAST_SEEN = "last seen"
    LARGE_VIEW = "large view"
    MISFITS = "misfits"
    NAMES = "names"
    OPEN = "open"
    OUTLIERS = "outliers"
    PHOTOS = "photos"
    PLACES = "places"
    PRESETS = "presets"
    PRINT = "print"
    READ_AGAIN = "read again"
    RECENTS = "recents"
    RECOVERY = "recovery"
    RELINK = "relink"
    REMEMBER = "remember"
    REMEMBER_SHEET = "remember sheet"
    SAVE = "save"
    SCORE = "score"
    SHAPE = "shape"
    SHAPE_PREVIEW = "shape preview"
    SIMILAR = "similar"
    SUGGEST = "suggest"
    TABLE = "table"
    TILES = "tiles"
    TRAY_DETAILS = "tray details"
    NEAR_DUPLICATES = "near duplicates"
    WARM_UP = "warm up"
    WORDS = "words"
    WRITE_PINS = "write pins"
    WRITE_STACKS = "write stacks"


LARGE = frozenset({JobKind.ARRANGE, JobKind.FIT_PAPER, JobKind.PHOTOS, JobKind.SCORE, JobKind.NEAR_DUPLICATES})
"""Of very many photos these hold much for a while: once they end, it is given back to the system."""

AT_ONCE = frozenset(
    {
        JobKind.ADD,
        JobKind.DETAIL_TILES,
        JobKind.DISCARD,
        JobKind.DROPPED,
        JobKind.FORGET,
        JobKind.PRINT,
        JobKind.WRITE_PINS,
        JobKind.WRITE_STACKS,
    }
)
"""Each of these does something of its own: a second one leaves the first alone."""

LASTING = frozenset(
    {
        JobKind.DISCARD,
        JobKind.FONTS,
        JobKind.FORGET,
        JobKind.PRINT,
        JobKind.RECENTS,
        JobKind.RECOVERY,
        JobKind.REMEMBER,
        JobKind.SAVE,
        JobKind.WARM_UP,
        JobKind.WRITE_PINS,
        JobKind.WRITE_STACKS,
    }
)
"""These are not about the open album, or were promised to the user: they go on when another is opened, and are waited
for when the program ends."""
