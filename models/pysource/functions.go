package pysource

import (
	"fmt"

	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// rows writes the functions that check a row and convert it to one form.
func (s *source) rows() {
	if s.Precomputed() {
		if s.Terms == 0 {
			s.put("\n\ndef _row(x: Row) -> None:\n    len(x)\n")
			return
		}
		_, last := s.Rows()
		s.put(`

def _row(x: Row) -> List[float]:
    if isinstance(x, Mapping):
        for r in ROWS:
            if r not in x:
                raise ValueError("no value of the kernel with row %%d" %% r)
        row = [float(x[r]) for r in ROWS]
    else:
        if len(x) < %d:
            raise ValueError("%%d values of the kernel, expected %[1]d or more" %% len(x))
        row = [float(x[r - 1]) for r in ROWS]
    for r, v in zip(ROWS, row):
        if v - v != 0:
            raise ValueError("the value of the kernel with row %%d is %%r" %% (r, v))
    return row
`, last)
		return
	}
	s.put(`

def _pairs(x: Row) -> List[Tuple[int, float]]:
    """The features of a row that are not 0, in their order."""
    if isinstance(x, Mapping):
        pairs = sorted((operator.index(j), float(v)) for j, v in x.items())
        if pairs and pairs[0][0] < %d:
            raise ValueError("feature %%d: features are numbered from %[1]d" %% pairs[0][0])
    else:
        pairs = [(j, float(v)) for j, v in enumerate(x, %[1]d)]
    for j, v in pairs:
        if v - v != 0:
            raise ValueError("feature %%d is %%r" %% (j, v))
    return [pair for pair in pairs if pair[1] != 0]
`, s.First)
	if s.Lists() || s.Terms == 0 {
		return
	}
	s.put(`

def _row(x: Row) -> Tuple[List[float], List[float]]:
    """The features that vectors have, and the others in their order."""
    row = [0.0] * %d
    beyond = []
    for j, v in _pairs(x):
        if j < %d:
            row[j - %d] = v
        else:
            beyond.append(v)
    return row, beyond
`, s.Width, s.Width+int64(s.First), s.First)
}

// value returns the expression for the kernel value, where total is the squared distance or the dot
// product.
func (s *source) value() string {
	switch k := s.Model.Kernel.(type) {
	case kernel.RBF:
		return fmt.Sprintf("_exp(%s * total)", real(-k.Gamma))
	case kernel.Sigmoid:
		return fmt.Sprintf("_tanh(%s * total + %s)", real(k.Gamma), real(k.Coef0))
	case kernel.Poly:
		return fmt.Sprintf("_power(%s * total + %s)", real(k.Gamma), real(k.Coef0))
	}
	return "total"
}

// kernels writes the function that computes the kernel values of a row with all vectors.
func (s *source) kernels() {
	s.put("\n\ndef _kernels(x: Row) -> List[float]:\n")
	_, rbf := s.Model.Kernel.(kernel.RBF)
	switch {
	case s.Precomputed():
		s.put("    return _row(x)\n")
		return
	case s.Dense && rbf:
		s.put(`    row, beyond = _row(x)
    out = []
    for z in _Z:
        total = 0.0
        for a, b in zip(row, z):
            d = a - b
            total += d * d
        for a in beyond:
            total += a * a
`)
	case s.Dense:
		s.put(`    row, _ = _row(x)
    out = []
    for z in _Z:
        total = 0.0
        for a, b in zip(row, z):
            total += a * b
`)
	case rbf:
		s.put(`    row = _pairs(x)
    out = []
    for index, entry in _Z:
        total = 0.0
        p, end = 0, len(index)
        for j, d in row:
            while p < end and index[p] < j:
                total += entry[p] * entry[p]
                p += 1
            if p < end and index[p] == j:
                d -= entry[p]
                p += 1
            total += d * d
        for p in range(p, end):
            total += entry[p] * entry[p]
`)
	default:
		s.put(`    row = dict(_pairs(x))
    out = []
    for index, entry in _Z:
        total = 0.0
        for j, b in zip(index, entry):
            if j in row:
                total += row[j] * b
`)
	}
	s.put("        out.append(%s)\n    return out\n", s.value())
	if k, ok := s.Model.Kernel.(kernel.Poly); ok {
		s.put(`

def _power(v: float) -> float:
    power = 1.0
    degree = %d
    while degree > 0:
        if degree %% 2 == 1:
            power *= v
        v *= v
        degree //= 2
    return power
`, k.Degree)
	}
}

// machines writes the function that computes the machines' values.
func (s *source) machines() {
	switch {
	case s.Terms == 0:
		look := "_pairs"
		if s.Precomputed() {
			look = "_row"
		}
		rho := "[]"
		if len(s.Model.Machines) > 0 {
			rho = "[0 - rho for rho in _RHO]"
		}
		s.put("\n\ndef _values(x: Row) -> List[float]:\n    %s(x)  # which may find a fault\n    return %s\n", look, rho)
		return
	case s.Ensemble():
		s.put(`

def _values(x: Row) -> List[float]:
    return [k - rho for k, rho in zip(_kernels(x), _RHO)]
`)
	default:
		s.put(`

def _values(x: Row) -> List[float]:
    k = _kernels(x)
    values = []
    for (vector, coef), rho in zip(_MACHINES, _RHO):
        total = 0.0
        for v, a in zip(vector, coef):
            total += a * k[v]
        values.append(total - rho)
    return values
`)
	}
	s.kernels()
}

// answer writes the function that makes an answer from the machines' values f.
func (s *source) answer() {
	m := s.Model
	if s.Ensemble() && len(m.Machines) > 0 {
		s.elect()
	}
	ptype, _ := s.answers()
	s.put("\n\ndef _answer(f: List[float]) -> %s:\n", ptype)
	switch {
	case len(m.Machines) == 0: // a single class, or an ensemble without members
		s.put("    return CLASSES[%d]\n", m.Default)
	case m.Task.Regresses():
		if s.Inputs != nil && s.Inputs.ClassColumn().Scales != nil {
			scale := s.Inputs.ClassColumn().Scales[0]
			s.put("    return f[0] * %s + %s\n", real(scale.Width), real(scale.Shift))
		} else {
			s.put("    return f[0]\n")
		}
	case m.Task == models.OneClass:
		s.put("    return 1 if f[0] > 0 else -1\n")
	case s.Ensemble():
		s.put("    return CLASSES[_elect(f)]\n")
	case m.Vote == models.OneVsRest:
		s.put("    return CLASSES[_largest(f)]\n")
	default:
		s.put(`    votes = [0] * len(CLASSES)
    pair = 0
    for i in range(len(votes)):
        for j in range(i + 1, len(votes)):
            votes[i if f[pair] > 0 else j] += 1
            pair += 1
    return CLASSES[_largest(votes)]
`)
	}
	if m.Task.Classifies() {
		s.put(`

def _largest(of: Sequence[float]) -> int:
    best = 0
    for c, v in enumerate(of):
        if v > of[best]:
            best = c
    return best
`)
	}
}
