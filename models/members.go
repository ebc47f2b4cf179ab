package models

import (
	"fmt"
	"math"

	"github.com/slimsvm/slimsvm/format/vec"
)

// Problem: represent members of an ensemble that separate several classes. A member has classes
// c_0, c_1, ..., c_(n-1), where c_0 is its own. It has n(n-1)/2 hyperplanes, those of LIBSVM's
// one-against-one machines for the pairs (c_0, c_1), (c_0, c_2), ..., (c_1, c_2), .... It calls a
// row positive if its answer is its own class, that is, if no other class has more votes.
//
// In the extended dialect two more words precede each hyperplane: against, the pair's second class,
// and classes, which is n. label is the pair's first class. The lines of a member follow each
// other; the label of the first one is the member's own class.

// A Plane is a hyperplane of an ensemble's member. Its value is W.x - Rho.
type Plane struct {
	W       vec.Vector
	Rho     float64
	Sigmoid *Sigmoid // from the value to the probability of the pair's first class; may be nil
}

// AddMember adds a member that separates several classes to an ensemble whose members do, see
// Model.Members. The first of classes is the member's own, and planes are the hyperplanes of the
// classes' pairs. It panics if the number of planes does not fit.
func (m *Model) AddMember(classes []int, planes []Plane) {
	if n := len(classes); n < 2 || len(planes) != Pairs(n) {
		panic(fmt.Sprintf("models: %d hyperplanes for a member of %d classes", len(planes), n))
	}
	m.Members = append(m.Members, len(m.Machines))
	for a, pos := range classes {
		for _, neg := range classes[a+1:] {
			p := &planes[0]
			m.AddMachine(pos, p.W, p.Rho, p.Sigmoid)
			m.Machines[len(m.Machines)-1].Neg = neg
			planes = planes[1:]
		}
	}
}

// CountMembers returns the number of members of an ensemble.
func (m *Model) CountMembers() int {
	if m.Members == nil {
		return len(m.Machines)
	}
	return len(m.Members)
}

// Member returns the positions of member i's hyperplanes in Machines and the number of classes that
// the member separates: 2 if it has one hyperplane. It panics if there is no such member.
func (m *Model) Member(i int) (planes Span, classes int) {
	if i < 0 || i >= m.CountMembers() {
		panic(fmt.Sprintf("models: member %d of %d", i, m.CountMembers()))
	}
	if m.Members == nil {
		return Span{i, i + 1}, 2
	}
	planes = Span{m.Members[i], len(m.Machines)}
	if i+1 < len(m.Members) {
		planes.To = m.Members[i+1]
	}
	return planes, classesOf(planes.To - planes.From)
}

// SelectMembers returns an ensemble of the members of m at the given positions, with the same
// labels, vote and provenance. m is not changed. It panics if a member does not exist.
func (m *Model) SelectMembers(members []int) *Model {
	s := *m
	s.Vectors, s.Machines, s.Origin, s.Members = vec.Matrix{}, nil, nil, nil
	if m.Members != nil {
		s.Members = []int{}
	}
	if m.Origin != nil {
		s.Origin = []int{}
	}
	for _, i := range members {
		planes, _ := m.Member(i)
		if m.Members != nil {
			s.Members = append(s.Members, len(s.Machines))
		}
		for at := planes.From; at < planes.To; at++ {
			c := &m.Machines[at]
			s.AddMachine(c.Pos, m.Vectors.Row(at), c.Rho, c.Sigmoid)
			s.Machines[len(s.Machines)-1].Neg = c.Neg
			if m.Origin != nil {
				s.Origin = append(s.Origin, m.Origin[at])
			}
		}
	}
	return &s
}

// memberSizes returns, for each machine, the number of classes of its member.
func (m *Model) memberSizes() []int {
	sizes := make([]int, 0, len(m.Machines))
	for i := range m.CountMembers() {
		planes, classes := m.Member(i)
		for range planes.To - planes.From {
			sizes = append(sizes, classes)
		}
	}
	return sizes
}

// classesOf returns n for n(n-1)/2 hyperplanes.
func classesOf(planes int) int { return (1 + int(math.Sqrt(float64(1+8*planes)))) / 2 }

// validateMembers checks that the hyperplanes form valid members for k classes.
func (m *Model) validateMembers(k int) error {
	if m.Members == nil {
		return nil
	}
	if len(m.Members) > len(m.Machines) || len(m.Machines) > 0 && len(m.Members) == 0 {
		return fmt.Errorf("%d members have %d hyperplanes", len(m.Members), len(m.Machines))
	}
	next, classes := 0, memberClasses{has: make([]int, k)}
	for i, from := range m.Members {
		to := len(m.Machines)
		if i+1 < len(m.Members) {
			to = m.Members[i+1]
		}
		if from != next || to <= from || to > len(m.Machines) {
			return fmt.Errorf("member %d has the hyperplanes from %d to %d of %d", i+1, from+1, to, len(m.Machines))
		}
		next = to
		n := classesOf(to - from)
		if n > k || Pairs(n) != to-from {
			return fmt.Errorf("member %d has %d hyperplanes, which are not those of 2 to %d classes", i+1, to-from, k)
		}
		for at := from; at < to; at++ {
			if err := m.checkPair(&classes, n, at-from, m.Machines[at].Pos, m.Machines[at].Neg); err != nil {
				return fmt.Errorf("member %d, hyperplane %d: %w", i+1, at-from+1, err)
			}
		}
	}
	return nil
}

// memberClasses has the classes of a member. It is used for one member after the other.
type memberClasses struct {
	list   []int
	has    []int // for each class, the number from 1 of the last member that has it
	member int
	a, b   int // indices in list of the classes of the next hyperplane
}

// begin starts the next member, with its own class.
func (c *memberClasses) begin(own int) {
	c.member++
	c.list, c.a, c.b = c.list[:0], 0, 1
	c.add(own)
}

// add adds a class. It returns false if the member has it already.
func (c *memberClasses) add(class int) bool {
	if c.has[class] == c.member {
		return false
	}
	c.has[class] = c.member
	c.list = append(c.list, class)
	return true
}

// pair returns the indices of the classes of the next hyperplane, for a member of n classes.
func (c *memberClasses) pair(n int) (a, b int) {
	a, b = c.a, c.b
	if c.b++; c.b == n {
		c.a++
		c.b = c.a + 1
	}
	return a, b
}

// checkPair checks the classes of hyperplane q of a member of n classes. The first hyperplanes
// determine the member's classes, which it adds to classes. It must be called for all hyperplanes
// in order.
func (m *Model) checkPair(classes *memberClasses, n, q, pos, neg int) error {
	if q == 0 {
		classes.begin(pos)
	}
	a, b := classes.pair(n)
	if a == 0 {
		if own := classes.list[0]; pos != own {
			return fmt.Errorf("it is of class %d, expected the member's own, %d", m.Labels[pos], m.Labels[own])
		}
		if !classes.add(neg) {
			return fmt.Errorf("it is against class %d, which the member has already", m.Labels[neg])
		}
		return nil
	}
	if c, d := classes.list[a], classes.list[b]; pos != c || neg != d {
		return fmt.Errorf("it is of class %d against %d, expected %d against %d", m.Labels[pos], m.Labels[neg], m.Labels[c], m.Labels[d])
	}
	return nil
}

// A memberReader reads the lines of members.
type memberReader struct {
	places  map[float64]int // index of each label
	classes memberClasses   // classes of the current member
	n, left int             // its number of classes, and of hyperplanes still to come
}

// placesOf returns the index of each label, the first one if labels are equal.
func placesOf(labels []int) map[float64]int {
	places := make(map[float64]int, len(labels))
	for i, label := range labels {
		if _, ok := places[float64(label)]; !ok {
			places[float64(label)] = i
		}
	}
	return places
}

// take checks the pair of classes of a line, which begins or continues a member.
func (r *memberReader) take(m *Model, pos int, against, classes float64) (neg int, err error) {
	neg, ok := r.places[against]
	if !ok {
		return 0, fmt.Errorf("the machine is against class %v, which is no label", against)
	}
	if r.left == 0 {
		if !(classes >= 2 && classes <= float64(len(m.Labels))) || classes != math.Trunc(classes) {
			return 0, fmt.Errorf("the machine is of %v classes, expected 2 to %d", classes, len(m.Labels))
		}
		r.n = int(classes)
		r.left = Pairs(r.n)
		m.Members = append(m.Members, len(m.Machines))
	}
	if classes != float64(r.n) {
		return 0, fmt.Errorf("the hyperplane is of a machine of %v classes, expected %d more of one of %d", classes, r.left, r.n)
	}
	if err := m.checkPair(&r.classes, r.n, Pairs(r.n)-r.left, pos, neg); err != nil {
		return 0, fmt.Errorf("hyperplane %d of a machine of %d classes: %w", Pairs(r.n)-r.left+1, r.n, err)
	}
	r.left--
	return neg, nil
}
