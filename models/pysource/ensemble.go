package pysource

import (
	"github.com/slimsvm/slimsvm/models"
)

// Problem: compute the answers and probabilities of an ensemble as package predict does, member by
// member, as models/csource does. A member is given by its class, its first hyperplane and the
// number of classes that it separates.

// elect writes the functions for what members say and for the answer of the ensemble.
func (s *source) elect() {
	s.put(`

def _calls(f: List[float], plane: int, classes: int) -> bool:
    votes = [0] * classes
    q = plane
    for a in range(classes):
        for b in range(a + 1, classes):
            votes[a if f[q] > 0 else b] += 1
            q += 1
    return all(v <= votes[0] for v in votes)
`)
	value := "_least(f, plane, classes)"
	if s.Model.Ballot == models.ByProbability {
		value = "_likely(f, plane, classes)"
	} else {
		s.put(`

def _least(f: List[float], plane: int, classes: int) -> float:
    least = f[plane]
    for v in f[plane + 1 : plane + classes - 1]:
        if v < least or v != v:
            least = v
    return least
`)
	}
	given, least := value, "-math.inf"
	switch s.Model.Ballot {
	case models.ByProbability:
		least = "0.0"
	case models.ByCount:
		given = "1.0"
	}
	negative := ""
	if s.Model.Ballot == models.ByDecision {
		negative = "            if v < 0:\n                v = 0.0\n"
	}
	s.put(`

def _elect(f: List[float]) -> int:
    given = [-1.0] * len(CLASSES)  # less than any member gives
    best = %s
    answer = %d
    spoken = False
    for c, plane, classes in _MEMBERS:
        if _calls(f, plane, classes):
            v = %s
%s            given[c] = (0.0 if given[c] < 0 else given[c]) + v
            spoken = True
        elif not spoken:
            v = %s
            if v > best:
                best = v
                answer = c
    return _largest(given) if spoken else answer
`, least, s.Model.Default, given, negative, value)
}

// shares writes the function body that computes the probabilities of an ensemble.
func (s *source) shares() {
	s.put(`    answer = %d
    spoken = False
    for c, plane, classes in _MEMBERS:
        called = _calls(f, plane, classes)
        if spoken and not called:
            continue
        if called and not spoken:
            p = [0.0] * len(p)
        v = _likely(f, plane, classes)
        if not called:
            p[c] = p[c] if p[c] > v or p[c] != p[c] else v
        else:
            if not spoken or c < answer:
                answer = c
            spoken = True
            p[c] += v
    total = 0.0
    for v in p:
        total += v
    if total == 0:
        p[answer] = 1.0
    total = 0.0
    for c in range(len(p)):
        p[c] += 0.1 / len(p)
        total += p[c]
    return [v / total for v in p]
`, s.Model.Default)
}

// likely writes the function for the probability that a member gives its own class. For one
// hyperplane it is the sigmoid; for three or four classes, package predict's closed forms; for more
// classes, the solution of the coupling's equations.
func (s *source) likely() {
	s.put(`

def _likely(f: List[float], plane: int, classes: int) -> float:
    if classes == 2:
        return _logistic(f[plane], plane)
    r = []
    for q in range(plane, plane + classes * (classes - 1) // 2):
        v = _logistic(f[q], q)
        r.append(_apart(v) if v == v else v)
    return _three(*r) if classes == 3 else _four(*r) if classes == 4 else _many(classes, r)


def _three(r0: float, r1: float, r2: float) -> float:
    r10, r20, r21 = 1 - r0, 1 - r1, 1 - r2
    s01, s10, o01 = r0 * r0, r10 * r10, r0 * r10
    s02, s20, o02 = r1 * r1, r20 * r20, r1 * r20
    s12, s21, o12 = r2 * r2, r21 * r21, r2 * r21
    c01 = o01 * (s02 + s12) + o02 * o12
    c02 = o02 * (s01 + s21) + o01 * o12
    c12 = o12 * (s10 + s20) + o01 * o02
    c00 = s01 * (s02 + s12) + s21 * s02
    c11 = s10 * (s02 + s12) + s20 * s12
    c22 = s21 * (s10 + s20) + s20 * s01
    p = c00 + c01 + c02
    return p / (p + (c01 + c11 + c12) + (c02 + c12 + c22))


def _pivot(v: float, least: float) -> float:
    return v if v > least or v != v else least


def _four(r0: float, r1: float, r2: float, r3: float, r4: float, r5: float) -> float:
    r10, r20, r30 = 1 - r0, 1 - r1, 1 - r2
    r21, r31, r32 = 1 - r3, 1 - r4, 1 - r5
    q0 = r10 * r10 + r20 * r20 + r30 * r30
    q1 = r0 * r0 + r21 * r21 + r31 * r31
    q2 = r1 * r1 + r3 * r3 + r32 * r32
    q3 = r2 * r2 + r4 * r4 + r5 * r5
    o01, o02, o03 = r0 * r10, r1 * r20, r2 * r30
    o12, o13, o23 = r3 * r21, r4 * r31, r5 * r32
    f = 1 / q3
    total = f
    l0, l1, l2 = o03 * f, o13 * f, o23 * f
    d0, d1, d2 = q0 - o03 * l0, q1 - o13 * l1, _pivot(q2 - o23 * l2, q2 * 1e-15)
    y0, y1, y2 = 1 + l0, 1 + l1, 1 + l2
    o01 = o01 + o13 * l0
    o02 = o02 + o23 * l0
    o12 = o12 + o23 * l1

    f = 1 / d2
    l0 = o02 * f
    l1 = o12 * f
    d0 = d0 - o02 * l0
    d1 = _pivot(d1 - o12 * l1, q1 * 1e-15)
    o01 += o12 * l0
    y0 = y0 + l0 * y2
    y1 = y1 + l1 * y2
    total += y2 * y2 * f

    f = 1 / d1
    l0 = o01 * f
    d0 = _pivot(d0 - o01 * l0, q0 * 1e-15)
    y0 += l0 * y1
    total += y1 * y1 * f
    return y0 / (y0 * y0 + total * d0)


def _many(n: int, r: List[float]) -> float:
    q = [[0.0] * (i + 1) for i in range(n)]
    y = [1.0] * n
    d = [0.0] * n
    total = 0.0
    at = 0
    for a in range(n):
        for b in range(a + 1, n):
            i, j, v = n - 1 - a, n - 1 - b, r[at]
            at += 1
            q[j][j] += v * v
            q[i][i] += (1 - v) * (1 - v)
            q[i][j] = -v * (1 - v)
    for i in range(n):
        row = q[i]
        least = row[i] * 1e-15
        for j in range(i):
            l = row[j]
            for k in range(j):
                l -= row[k] * (q[j][k] * d[k])
            row[j] = l / d[j]
            row[i] -= l * row[j]
            y[i] -= row[j] * y[j]
        d[i] = _pivot(row[i], least)
        total += y[i] * y[i] / d[i]
    return y[n - 1] / d[n - 1] / total
`)
}
