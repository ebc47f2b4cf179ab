package models

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/slimsvm/slimsvm/format/textscan"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// Problem: represent an ensemble. It has any number of linear machines, its members. Each member is
// for one class: it votes for that class if its value is positive, and abstains otherwise. The
// model's vectors are the machines' hyperplanes, f_i(x) = z_i.x - rho_i, so there are no
// coefficients. In the extended dialect
//
//   - multiclass is ensemble, and there are no lists with a number for each machine
//   - vote says what a vote counts; default is the label if no machine knows anything about a row
//   - columns, a number and that many words, says what each machine's line begins with: label
//     [against classes] rho [probA probB] [exemplar]; the features of the hyperplane follow. For
//     against and classes see members.go

// A Ballot says what a member of an ensemble gives its class when it calls a row positive, that is,
// when its value is positive or, with several classes, its own class has the most votes. For each
// class, what the members give is added up, and the largest sum wins; in a tie, the first class.
type Ballot int

// The ballots. If no member calls the row positive, the class of the member with the largest value
// wins, ByProbability that of the member with the largest probability, or [Model.Default] if there is
// none.
const (
	ByProbability Ballot = iota // the probability, by the sigmoid of its value
	ByDecision                  // the value; 0 if negative, as that of a member of several classes may be
	ByCount                     // 1
)

var ballotNames = [...]string{"probability", "decision", "count"}

// String returns the ballot's name in model files.
func (b Ballot) String() string {
	if b < 0 || int(b) >= len(ballotNames) {
		return fmt.Sprintf("Ballot(%d)", int(b))
	}
	return ballotNames[b]
}

// ParseBallot returns the ballot with the given name: what String returns.
func ParseBallot(name string) (Ballot, error) {
	if b := slices.Index(ballotNames[:], name); b >= 0 {
		return Ballot(b), nil
	}
	return 0, fmt.Errorf("no vote %q: there are %s", name, strings.Join(ballotNames[:], ", "))
}

// NewEnsemble returns a classifier with these labels and no machines yet: add members with
// AddMachine or AddMember. fallback is the position of the label for rows about which no machine
// knows anything.
func NewEnsemble(labels []int, fallback int, b Ballot) *Model {
	return &Model{
		Task: CSVC, Kernel: kernel.Linear{}, Labels: slices.Clone(labels), Vote: Ensemble,
		Ballot: b, Default: fallback,
	}
}

// AddMachine adds a member with one hyperplane for class pos to an ensemble; its value is w.x -
// rho. s may be nil. If a Model value was copied by assignment, add to one of the two only: they
// share the memory into which they grow.
func (m *Model) AddMachine(pos int, w vec.Vector, rho float64, s *Sigmoid) {
	i := int32(len(m.Machines))
	m.Vectors.Append(w)
	m.Machines = append(m.Machines, Machine{
		Pos: pos, Neg: Rest, Index: []int32{i}, Coef: []float64{1}, Rho: rho, Sigmoid: s,
	})
}

// Lean returns an ensemble that gives the same answers as m and has only what this requires: no
// exemplars, and sigmoids only if votes are by probability. m is not changed. Members can be added
// to either without a change of the other.
func (m *Model) Lean() *Model {
	lean := *m
	lean.Origin = nil
	lean.Vectors, lean.Machines, lean.Members = m.Vectors.Clone(), slices.Clone(m.Machines), slices.Clone(m.Members)
	if m.Vote == Ensemble && m.Ballot != ByProbability && m.Probability {
		lean.Probability = false
		for i := range lean.Machines {
			lean.Machines[i].Sigmoid = nil
		}
	}
	return &lean
}

func (m *Model) validateEnsemble(k int) error {
	switch {
	case m.Group != nil:
		return errors.New("the hyperplanes of an ensemble are not grouped by class")
	case m.Kernel != kernel.Kernel(kernel.Linear{}):
		return fmt.Errorf("the machines of an ensemble are linear, the kernel is %s", kernel.Name(m.Kernel))
	case m.Ballot < ByProbability || m.Ballot > ByCount:
		return fmt.Errorf("unknown vote %d", int(m.Ballot))
	case m.Default < 0 || m.Default >= k:
		return fmt.Errorf("default class %d of %d", m.Default, k)
	case m.Ballot == ByProbability && !m.Probability && len(m.Machines) > 0:
		return errors.New("votes are by probability, but there is no probability information")
	case m.Vectors.Len() != len(m.Machines):
		return fmt.Errorf("%d hyperplanes for %d machines", m.Vectors.Len(), len(m.Machines))
	}
	for i := range m.Machines {
		c := &m.Machines[i]
		switch {
		case m.Members != nil && (c.Pos < 0 || c.Pos >= k || c.Neg < 0 || c.Neg >= k):
			return fmt.Errorf("machine %d is of classes %d and %d, expected two of %d", i+1, c.Pos, c.Neg, k)
		case m.Members == nil && (c.Pos < 0 || c.Pos >= k || c.Neg != Rest):
			return fmt.Errorf("machine %d is of classes %d and %d, expected one of %d and %d", i+1, c.Pos, c.Neg, k, Rest)
		case len(c.Index) != 1 || c.Index[0] != int32(i) || len(c.Coef) != 1 || c.Coef[0] != 1:
			return fmt.Errorf("machine %d of an ensemble is not its hyperplane %d", i+1, i+1)
		case math.IsInf(c.Rho, 0):
			return fmt.Errorf("machine %d of an ensemble has rho %v", i+1, c.Rho)
		}
	}
	for i, row := range m.Origin {
		if row < 1 || row > math.MaxInt32 {
			return fmt.Errorf("machine %d has row %d as exemplar", i+1, row)
		}
	}
	return m.validateMembers(k)
}

// The names of the columns before a hyperplane, in order.
const (
	labelColumn    = "label"
	againstColumn  = "against"
	classesColumn  = "classes"
	rhoColumn      = "rho"
	probAColumn    = "probA"
	probBColumn    = "probB"
	exemplarColumn = "exemplar"
)

// allColumns are the columns of a model that has all of them.
var allColumns = []string{labelColumn, againstColumn, classesColumn, rhoColumn, probAColumn, probBColumn, exemplarColumn}

// machineColumns returns the columns with which the lines of an ensemble's machines begin.
func (m *Model) machineColumns() []string {
	names := []string{labelColumn}
	if m.Members != nil {
		names = append(names, againstColumn, classesColumn)
	}
	names = append(names, rhoColumn)
	if m.Probability {
		names = append(names, probAColumn, probBColumn)
	}
	if m.Origin != nil {
		names = append(names, exemplarColumn)
	}
	return names
}

// ensemble writes the keys that only ensembles have.
func (t *text) ensemble(m *Model) {
	t.line("vote", m.Ballot.String())
	t.ints("default", m.Labels[m.Default])
	names := m.machineColumns()
	t.line("columns", strconv.Itoa(len(names)), strings.Join(names, " "))
}

// appendMachine appends the columns before the hyperplane of machine i. Its member separates this
// many classes.
func (m *Model) appendMachine(b []byte, i, classes int) []byte {
	c := &m.Machines[i]
	b = strconv.AppendInt(b, int64(m.Labels[c.Pos]), 10)
	if m.Members != nil {
		b = append(b, ' ')
		b = strconv.AppendInt(b, int64(m.Labels[c.Neg]), 10)
		b = append(b, ' ')
		b = strconv.AppendInt(b, int64(classes), 10)
	}
	real := func(v float64) {
		b = append(b, ' ')
		b = textscan.AppendG(b, v, coefDigits)
	}
	real(c.Rho)
	if m.Probability {
		real(c.Sigmoid.A)
		real(c.Sigmoid.B)
	}
	if m.Origin != nil {
		b = append(b, ' ')
		b = strconv.AppendInt(b, int64(m.Origin[i]), 10)
	}
	return append(b, ' ')
}

// ensembleKeys are the keys that readEnsemble reads.
var ensembleKeys = []string{"vote", "default", "columns"}

// readEnsemble reads the values of a key that only ensembles have. It returns false for other keys.
func (h *header) readEnsemble(s *words, key string) (known bool, err error) {
	switch key {
	case "vote":
		h.ballot, err = s.ballot(key)
	case "default":
		h.fallback, err = s.int(key, math.MinInt32, math.MaxInt32)
	case "columns":
		h.columns, err = s.columns(key)
	default:
		return false, nil
	}
	return true, err
}

func (s *words) ballot(key string) (Ballot, error) {
	b, err := s.oneOf(key, ballotNames[:])
	return Ballot(b), err
}

// columns reads the names of the columns of machines' lines. They must be in the usual order.
func (s *words) columns(key string) ([]string, error) {
	n, err := s.int(key, 2, len(allColumns))
	if err != nil {
		return nil, err
	}
	var names []string
	at := 0
	for len(names) < n {
		w, err := s.value(key)
		if err != nil {
			return nil, err
		}
		k := slices.Index(allColumns[at:], string(w.text))
		if k < 0 {
			return nil, w.errorf("%s has %s, expected %s in this order", key, textscan.QuoteWord(w.text), strings.Join(allColumns, ", "))
		}
		names = append(names, string(w.text))
		at += k + 1
	}
	return names, nil
}

// isEnsemble reports whether the header is that of an ensemble.
func (h *header) isEnsemble() bool { return h.extended && h.has["multiclass"] && h.vote == Ensemble }

// ensembleModel returns the model of the header, without machines.
func (h *header) ensembleModel() (*Model, error) {
	k := slices.Index(h.label, h.fallback)
	if k < 0 {
		return nil, fmt.Errorf("default is %d, which is no label", h.fallback)
	}
	has := func(name string) bool { return slices.Contains(h.columns, name) }
	if !has(labelColumn) || !has(rhoColumn) || has(probAColumn) != has(probBColumn) || has(againstColumn) != has(classesColumn) {
		return nil, fmt.Errorf("columns are %s: label and rho must be there, and against and classes, probA and probB belong together", strings.Join(h.columns, " "))
	}
	if h.kernelName != "linear" {
		return nil, fmt.Errorf("kernel_type is %s: the machines of an ensemble are linear", h.kernelName)
	}
	m := NewEnsemble(h.label, k, h.ballot)
	m.Task = h.task
	m.Probability = has(probAColumn)
	if has(exemplarColumn) {
		m.Origin = []int{}
	}
	if has(againstColumn) {
		m.Members = []int{}
	}
	return m, nil
}

// readMachineLines reads the lines of an ensemble.
func readMachineLines(lines *textscan.Lines, h *header, m *Model) error {
	p := &lineParser{kernel: m.Kernel, width: len(h.columns)}
	members := memberReader{places: placesOf(m.Labels), classes: memberClasses{has: make([]int, len(m.Labels))}}
	for n := range h.total {
		line, err := lines.Next()
		if err != nil {
			return endOf(err, lines.Number(), fmt.Sprintf("support vector %d of %d", n+1, h.total))
		}
		var f *textscan.Fault
		if p.coefs, f = p.line(line, p.coefs[:0]); f != nil {
			return f.Locate(lines.Number())
		}
		if err := m.takeMachine(&members, p.coefs, p.v); err != nil {
			return &textscan.Error{Line: lines.Number(), Column: 1, Err: err}
		}
	}
	if members.left > 0 {
		return &textscan.Error{Line: lines.Number(), Column: 1,
			Err: fmt.Errorf("the last machine is of %d classes and lacks %d of its hyperplanes", members.n, members.left)}
	}
	return nil
}

// takeMachine adds the machine of a line. values has the line's columns, v the hyperplane.
func (m *Model) takeMachine(r *memberReader, values []float64, v vec.Vector) error {
	pos, ok := r.places[values[0]]
	if !ok {
		return fmt.Errorf("the machine is for class %v, which is no label", values[0])
	}
	neg, rest := Rest, values[1:]
	if m.Members != nil {
		var err error
		if neg, err = r.take(m, pos, rest[0], rest[1]); err != nil {
			return err
		}
		rest = rest[2:]
	}
	rho, rest := rest[0], rest[1:]
	var s *Sigmoid
	if m.Probability {
		s, rest = &Sigmoid{rest[0], rest[1]}, rest[2:]
	}
	if m.Origin != nil {
		row := rest[0]
		if !(row >= 1 && row <= math.MaxInt32) || row != math.Trunc(row) {
			return fmt.Errorf("the machine's exemplar is row %v, expected 1 to %d", row, math.MaxInt32)
		}
		m.Origin = append(m.Origin, int(row))
	}
	m.AddMachine(pos, v, rho, s)
	m.Machines[len(m.Machines)-1].Neg = neg
	return nil
}
