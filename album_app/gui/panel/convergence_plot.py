"""A small plot of how the SMI rose on the way to the sheet."""

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from album_app.gui.style import theme
from album_app.language import number, tr, trn

LEAST_RISE = 0.2
"""Of the SMI: where it changes by less, the plot shows it as little."""

Trace = tuple[tuple[float, float], ...]
"""(seconds, SMI) of each sheet on the way to the last."""


class ConvergencePlot(QWidget):
    """The SMI of each layout on the way to the last, over time."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(tr("Convergence: SMI of each step"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._trace: Trace = ()

    def sizeHint(self) -> QSize:
        return QSize(200, 74)

    def show_trace(self, trace: Trace) -> None:
        self._trace = trace
        self.setAccessibleDescription(self._described() if trace else "")
        self.update()

    def _described(self) -> str:
        seconds = number(self._trace[-1][0], 2)
        return trn(
            "{count} step in {seconds} s, {span}",
            "{count} steps in {seconds} s, {span}",
            len(self._trace),
            seconds=seconds,
            span=self.span,
        )

    @property
    def span(self) -> str:
        """From where to where the SMI went."""
        if not self._trace:
            return tr("SMI over time")
        first, last = number(self._trace[0][1], 3), number(self._trace[-1][1], 3)
        return f"SMI {first} → {last}"

    def paintEvent(self, event: QPaintEvent) -> None:
        palette = theme.current()
        area = QRectF(self.rect()).adjusted(2, 6, -2, -18)
        points = _points(self._trace, area)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(QColor(palette.line), 1))
            painter.drawLine(area.bottomLeft(), area.bottomRight())
            painter.setPen(QPen(QColor(palette.accent), 1.8))
            painter.drawPolyline(QPolygonF(points))
            painter.setBrush(QColor(palette.accent))
            painter.setPen(Qt.PenStyle.NoPen)
            for point in points:
                painter.drawEllipse(point, 2.2, 2.2)
            painter.setPen(QColor(palette.muted))
            foot = QRectF(self.rect()).adjusted(2, 0, -2, 0)
            took = f"{number(self._trace[-1][0], 2)} s" if self._trace else ""
            painter.drawText(foot, Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignLeft, self.span)
            painter.drawText(foot, Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignRight, took)


def _points(trace: Trace, area: QRectF) -> list[QPointF]:
    if not trace:
        return []
    low, high = min(smi for _, smi in trace), max(smi for _, smi in trace)
    end = max(trace[-1][0], 1e-9)
    rise = max(high - low, LEAST_RISE * abs(high)) or 1.0
    low -= (rise - (high - low)) / 2
    across, up = area.width() / end, area.height() / rise
    return [QPointF(area.left() + seconds * across, area.bottom() - (smi - low) * up) for seconds, smi in trace]
