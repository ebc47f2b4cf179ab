package pysource

import (
	"github.com/slimsvm/slimsvm/models"
)

// Problem: compute the probabilities of package predict, with the same operations in the same
// order. models/csource does the same.

// probabilities writes the functions that compute probabilities from the machines' values f.
func (s *source) probabilities() {
	m := s.Model
	if !m.Probability || m.Task.Regresses() {
		return
	}
	s.put("\n\ndef _outcomes(f: List[float]) -> List[float]:\n")
	if m.Task == models.OneClass {
		s.levels()
		return
	}
	s.put("    p = [0.0] * len(CLASSES)\n")
	switch {
	case len(m.Machines) == 0: // a single class, or an ensemble without members
		s.put("    p[%d] = 1.0\n    return p\n", m.Default)
	case len(m.Labels) == 1:
		s.put("    p[0] = 1.0\n    return p\n")
	case s.Ensemble():
		s.shares()
	case m.Vote == models.OneVsRest:
		s.put(`    total = 0.0
    for i in range(len(p)):
        p[i] = _apart(_logistic(f[i], i))
        total += p[i]
    return [v / total for v in p]
`)
	case len(m.Labels) == 2:
		s.put("    p[0] = _apart(_logistic(f[0], 0))\n    p[1] = 1 - p[0]\n    return p\n")
	default:
		s.put(`    n = len(p)
    q = [[0.0] * n for _ in p]
    pair = 0
    for i in range(n):
        for j in range(i + 1, n):
            first = _apart(_logistic(f[pair], pair))
            second = 1 - first
            pair += 1
            q[i][i] += second * second
            q[j][j] += first * first
            q[i][j] = q[j][i] = -first * second
    return _couple(q)


def _couple(q: List[List[float]]) -> List[float]:
    n = len(q)
    p = [1.0 / n] * n
    qp = [0.0] * n
    for _ in range(%d):
        pqp = worst = 0.0
        for i in range(n):
            total = 0.0
            for a, b in zip(q[i], p):
                total += a * b
            qp[i] = total
            pqp += p[i] * total
        for v in qp:
            if abs(v - pqp) > worst:
                worst = abs(v - pqp)
        if worst < 0.005 / n:
            break
        for i in range(n):
            step = (pqp - qp[i]) / q[i][i]
            total = 1 + step
            p[i] += step
            pqp = (pqp + step * (step * q[i][i] + 2 * qp[i])) / total / total
            for j in range(n):
                qp[j] = (qp[j] + step * q[i][j]) / total
                p[j] /= total
    return p
`, max(100, len(m.Labels)))
	}
	if s.ClassProbabilities() && len(m.Machines) > 0 {
		s.put(`

def _logistic(value: float, i: int) -> float:
    z = value * _A[i] + _B[i]
    e = _exp(-z if z >= 0 else z)
    return e / (1 + e) if z >= 0 else 1 / (1 + e)


def _apart(r: float) -> float:
    return %s if r > %[1]s else r if r > 1e-7 else 1e-7
`, real(1-1e-7))
	}
	if s.Ensemble() && s.ClassProbabilities() && len(m.Machines) > 0 {
		s.likely()
	}
}

// levels writes the probabilities of a one-class model.
func (s *source) levels() {
	s.put("    marks = [")
	for i, v := range s.Model.DensityMarks {
		if i > 0 {
			s.put(", ")
		}
		s.put("%s", real(v))
	}
	s.put(`]
    p = 0.999
    if f[0] < marks[0]:
        p = 0.001
    elif not f[0] >= marks[-1]:
        i = 1
        while f[0] >= marks[i]:
            i += 1
        p = i / 10.0
    return [p, 1 - p]
`)
}
