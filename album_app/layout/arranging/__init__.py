"""Photos, shape and pins in, a sheet out.

- arrange: photos, shape and pins in, a sheet out: LSMI-Sinkhorn, then one photo per cell, then refinement
- arrangement: who takes part and where: photos, cells, pins and held cells of one arrangement, checked once
- calm: which earlier sheet a new one starts from, and the price that a photo pays for leaving its cell there after an
  edit
- choosing: who is shown and which cells are filled, when photos and cells are not equally many; for a book of chapters,
  which photos go onto which page
- dealing: photos dealt out to the pages of a book without chapters: exact exchanges between pages, by the plain
  distances within each
- exchange: what a sheet would lose if two photos changed places: who else fits a cell, where else a photo, how sure we
  are
- field: how well a photo suits a cell: its neighbours' mean, the pull of pins (Pull, PIN_WEIGHT), what the plan says
- first_sheet: the sheet to start from: a plan rounded to one photo per cell, or an earlier sheet with its new pins, and
  the photos that follow them
- guide: what the solver knows about a sheet: the only bridge to it (photos as x, cells as y, pins as pairs), and its
  answer, a transport plan between all photos and all cells, kept as factors
- journal: what an arrangement has reached so far: timed, shown as it gets better, and there to be returned on a stop
- large_photos: large photos: which of an album are shown larger, and the block of cells that each covers
- polish: the last mile: exact exchanges between cells that do not touch, by the plain distances that people see
- refine: refinement: small assignments, by the scores of `field`, between strided groups of cells and the photos in
  them, while the radius shrinks
- repeats: repeated photos are kept apart: a price for placing one near its double, and a last repair
- representatives: photos that stand for all the others: groups of like photos, and one choice over all groups; good
  photos where quality counts
- rows: whole photos in rows of equal width: exchanges also make the rows equally full
- space: photos as points: features checked, centred, scaled, and rotated onto the few axes that hold their variance
"""
