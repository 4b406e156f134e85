"""A measured figure says honestly whether it is what was promised."""

from album_app.research.benchmarks import Goal


def test_a_goal_says_whether_it_was_reached() -> None:
    assert str(Goal("speed", 3, 2)).endswith("reached") and str(Goal("speed", 1, 2)).endswith("MISSED")
    assert "reached" in str(Goal("ratio", 5.0, least=5))
    assert "MISSED" in str(Goal("seconds", 0.05, most=0.04))
    assert Goal("more", 2.0, 1.0).reached and not Goal("less", 2.0, most=1.0).reached


def test_what_is_not_a_number_reaches_nothing() -> None:
    assert not Goal("ratio", float("nan"), least=5).reached
    assert not Goal("against a peer that is not there", 1.0, least=float("nan")).reached


def test_without_a_bound_it_only_tells() -> None:
    assert "wanted" not in str(Goal("only reported", 1.0))
    assert Goal("only reported", 1.0).reached


def test_units_notes_and_large_figures_are_shown() -> None:
    line = str(Goal("memory", 12345.6, most=1500.0, unit="MB", note="aim 900"))
    assert "12,346 MB" in line and line.endswith("MISSED  (aim 900)")
