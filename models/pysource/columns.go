package pysource

import "github.com/slimsvm/slimsvm/models/internal/plan"

// Problem: make features of columns as format/encode does, and scale features as format/scale does.

// encoder writes the function that makes features from columns.
func (s *source) encoder() {
	scales, columns := s.Scales()
	s.put(`

def encode(columns: Sequence[Union[float, str, None]]) -> List[float]:
    """Makes features of the columns of a row, which are

`)
	s.aboutColumns()
	s.put(`
    Numbers are of any type of number, or texts like 1.5e3. None, nan and the text ?, if it is no label of the
    column, are missing values.
`)
	if s.Nominal() {
		s.put(`    A label is a text, or the number of its place among the labels, from 0. One that training did not know
    counts as slimsvm predict has it: as none of more than two, as the first of two.
`)
	}
	s.put(`    """
    if len(columns) != %d:
        raise ValueError("expected %s, found %%d" %% len(columns))
    x = [0.0] * %d
    for c, (first, fill, labels) in enumerate(_COLUMNS):
        v = _number(c, columns[c])
        if v != v:
            v = fill
        if labels is not None and (len(labels) < 2 or len(labels) == 2 and v < 0):
            v = 0.0
        if labels is None or len(labels) <= 2:
            x[first] = _scaled(v, first)
        else:
            for f in range(len(labels)):
                x[first + f] = _scaled(1.0 if v == f else 0.0, first + f)
    return x


def _scaled(v: float, f: int) -> float:
    return 0.0 if _WIDTH[f] == 0 else (v - _SHIFT[f]) / _WIDTH[f]


def _number(column: int, v: Any) -> float:
    if v is None:
        return math.nan
    if not isinstance(v, str):
        return float(v)
    place = _PLACES[column].get(v)
    if place is not None:
        return float(place)
    if v == "?":
        return math.nan
    if _COLUMNS[column][2] is not None:
        return -1.0
    if all(c in "+-.0123456789Ee" for c in v):
        try:
            return float(v)
        except ValueError:
            pass  # said below
    raise ValueError("columns[%%d]: expected a number, found %%r" %% (column, v))
`, columns, plan.Count(columns, "column"), len(scales))
}

// scaler writes the function that scales a row.
func (s *source) scaler() {
	l := s.Ranges.X.Limits
	targets := ""
	if s.Ranges.Y != nil && s.Model.Task.Regresses() {
		targets = "\n\n    Targets stay as they were scaled, from " + real(s.Ranges.Y.Min) + ".." + real(s.Ranges.Y.Max) + " to " + real(s.Ranges.Y.Lower) + ".." + real(s.Ranges.Y.Upper) + ".\n    "
	}
	s.put(`

def scale(x: Row) -> List[float]:
    """Returns the features, from 1 on, of a row scaled as svm-scale -r does before it rounds to six digits.

    What is out of range there is not finite here.%s"""
    raw = [0.0] * %d
    if isinstance(x, Mapping):
        for j in x:
            if operator.index(j) < 1:
                raise ValueError("feature %%d: features are numbered from 1" %% j)
            if j <= len(raw):
                raw[j - 1] = float(x[j])
    else:
        for i, v in enumerate(x[: len(raw)]):
            raw[i] = float(v)
    out = [0.0] * len(raw)
    for j, least, most in _SCALED:
        out[j] = _limited(raw[j], least, most)
    return out


def _limited(v: float, least: float, most: float) -> float:
    lower, upper = %s, %s
    if v == least:
        return lower
    if v == most:
        return upper
    product = (upper - lower) * (v - least)
    span = most - least
    y = lower + product / span
    if math.isfinite(product) and math.isfinite(span) and math.isfinite(y):
        return y
    part = most / 4 - least / 4
    t = (v / 4 - least / 4) / part if part else math.nan
    y = lower + (upper - lower) * t
    return y if math.isfinite(y) else lower * (1 - t) + upper * t
`, targets, s.Features, real(l.Lower), real(l.Upper))
}
