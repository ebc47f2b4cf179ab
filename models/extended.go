package models

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/slimsvm/slimsvm/format/textscan"
)

// Problem: compact classifiers share few, often synthetic, vectors among all machines. LIBSVM's
// model files cannot express that: there each vector belongs to a class and has coefficients only
// for the pairs of that class. The extended dialect is the same text with
//
//   - slimsvm_model 1 as its first line, at which LIBSVM itself stops
//   - multiclass one_vs_one, one_vs_rest or ensemble (ensemble.go), for a classifier, before the
//     lists
//   - method, seed, parent_sv and parameters, which say how the model was made
//   - no nr_sv, and a coefficient for each machine on each vector's line
//   - all numbers with as many digits as read back exactly

// A Vote says how the machines of a classifier give an answer.
type Vote int

// The votes.
//
//   - OneVsOne: a machine for each pair of classes votes for one of the two; most votes win.
//   - OneVsRest: a machine for each class; the largest value wins.
//   - Ensemble: any number of linear machines, each for one class, vote as Model.Ballot says.
//
// In a tie the first class wins.
const (
	OneVsOne Vote = iota
	OneVsRest
	Ensemble
)

var voteNames = [...]string{"one_vs_one", "one_vs_rest", "ensemble"}

// String returns the vote's name in model files.
func (v Vote) String() string {
	if v < 0 || int(v) >= len(voteNames) {
		return fmt.Sprintf("Vote(%d)", int(v))
	}
	return voteNames[v]
}

// Rest is the Neg of a machine that separates class Pos from all other classes.
const Rest = -1

// machines returns the number of machines for k classes.
func (v Vote) machines(k int) int {
	if v == OneVsRest {
		return k
	}
	return Pairs(k)
}

// first returns the classes of the first machine.
func (v Vote) first() (pos, neg int) {
	if v == OneVsRest {
		return 0, Rest
	}
	return 0, 1
}

// next returns the classes of the machine after that of pos and neg, for k classes.
func (v Vote) next(pos, neg, k int) (int, int) {
	switch {
	case v == OneVsRest:
		return pos + 1, Rest
	case neg+1 < k:
		return pos, neg + 1
	}
	return pos + 1, pos + 2
}

// addMachines gives m the machines for its vote, with these offsets.
func (m *Model) addMachines(rho []float64) {
	m.Machines = make([]Machine, 0, len(rho))
	pos, neg := m.Vote.first()
	for _, r := range rho {
		m.Machines = append(m.Machines, Machine{Pos: pos, Neg: neg, Rho: r})
		pos, neg = m.Vote.next(pos, neg, len(m.Labels))
	}
}

// Provenance says how a model was made.
type Provenance struct {
	Method     string      // name of the method on the command line; a word
	Seed       uint64      // of the random choices
	Parent     int         // number of vectors of the model that this one was made from; 0: none
	Parameters []Parameter // settings of the method
}

// A Parameter is a setting of a method. Name and Value are words: not empty and without blanks.
type Parameter struct{ Name, Value string }

// validate accepts a nil p.
func (p *Provenance) validate() error {
	if p == nil {
		return nil
	}
	if !isWord(p.Method) {
		return fmt.Errorf("method %q is not a word", p.Method)
	}
	if p.Parent < 0 || p.Parent != int(int32(p.Parent)) {
		return fmt.Errorf("a parent of %d vectors", p.Parent)
	}
	for _, a := range p.Parameters {
		if !isWord(a.Name) || !isWord(a.Value) {
			return fmt.Errorf("parameter %q with value %q: not a word each", a.Name, a.Value)
		}
	}
	return nil
}

func isWord(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r == 0x7f })
}

// Extended reports whether m needs the extended dialect: it has a Provenance, or it is a classifier
// whose vectors are not grouped by class.
func (m *Model) Extended() bool {
	return m.Provenance != nil || m.Task.Classifies() && m.Group == nil
}

const (
	extendedMark    = "slimsvm_model"
	extendedVersion = 1
)

// extended writes the keys of the extended dialect.
func (t *text) extended(m *Model) {
	if m.Task.Classifies() {
		t.line("multiclass", m.Vote.String())
		if m.Vote == Ensemble {
			t.ensemble(m)
		}
	}
	p := m.Provenance
	if p == nil {
		return
	}
	t.line("method", p.Method)
	t.line("seed", strconv.FormatUint(p.Seed, 10))
	if p.Parent > 0 {
		t.ints("parent_sv", p.Parent)
	}
	if len(p.Parameters) > 0 {
		words := []string{"parameters", strconv.Itoa(len(p.Parameters))}
		for _, a := range p.Parameters {
			words = append(words, a.Name, a.Value)
		}
		t.line(words...)
	}
}

// readExtended reads the values of a key that only the extended dialect has. It returns false for
// other keys.
func (h *header) readExtended(s *words, w word, key string) (known bool, err error) {
	switch key {
	case extendedMark:
		if len(h.has) > 0 {
			return true, w.errorf("%s is not the first key", key)
		}
		h.extended = true
		_, err = s.int(key, extendedVersion, extendedVersion)
	case "multiclass":
		if h.has["rho"] || h.has["probA"] || h.has["probB"] {
			return true, w.errorf("%s stands behind a list whose length it gives", key)
		}
		h.vote, err = s.vote(key)
	case "nr_sv":
		err = w.errorf("nr_sv is no key of the extended dialect, in which vectors belong to no class")
	case "method":
		h.provenance.Method, err = s.word(key)
	case "seed":
		h.provenance.Seed, err = s.uint(key)
	case "parent_sv":
		h.provenance.Parent, err = s.int(key, 0, math.MaxInt32)
	case "parameters":
		h.provenance.Parameters, err = s.parameters(key)
	default:
		return h.readEnsemble(s, key)
	}
	return true, err
}

func (s *words) vote(key string) (Vote, error) {
	v, err := s.oneOf(key, voteNames[:])
	return Vote(v), err
}

// oneOf reads one of several names and returns its index.
func (s *words) oneOf(key string, names []string) (int, error) {
	w, err := s.value(key)
	if err != nil {
		return 0, err
	}
	if at := slices.Index(names, string(w.text)); at >= 0 {
		return at, nil
	}
	return 0, w.errorf("%s is %s, expected %s", key, textscan.QuoteWord(w.text), strings.Join(names, ", "))
}

func (s *words) word(key string) (string, error) {
	w, err := s.value(key)
	if err == nil && !isWord(string(w.text)) {
		err = w.errorf("%s is %s, which is not a word", key, textscan.QuoteWord(w.text))
	}
	return string(w.text), err
}

func (s *words) uint(key string) (uint64, error) {
	w, err := s.value(key)
	if err != nil {
		return 0, err
	}
	v, err := strconv.ParseUint(string(w.text), 10, 64)
	if err != nil {
		return 0, w.errorf("%s is %s, expected 0 to %d", key, textscan.QuoteWord(w.text), uint64(math.MaxUint64))
	}
	return v, nil
}

func (s *words) parameters(key string) ([]Parameter, error) {
	n, err := s.int(key, 0, math.MaxInt32)
	if err != nil {
		return nil, err
	}
	var list []Parameter
	for range n {
		var a Parameter
		if a.Name, err = s.word(key); err != nil {
			return nil, err
		}
		if a.Value, err = s.word(a.Name); err != nil {
			return nil, err
		}
		list = append(list, a)
	}
	return list, nil
}

// machines returns the length of the lists that have an element for each machine.
func (h *header) machines() int {
	if h.extended && h.has["multiclass"] {
		return h.vote.machines(h.classes)
	}
	return Pairs(h.classes)
}

// needExtended returns the keys that a header of the extended dialect must have.
func (h *header) needExtended() []string {
	need := []string{"svm_type", "kernel_type", "nr_class", "total_sv", "rho"}
	if h.task.Classifies() {
		need = append(need, "label", "multiclass")
	}
	if h.isEnsemble() {
		need = []string{"svm_type", "kernel_type", "nr_class", "total_sv", "label", "vote", "default", "columns"}
	}
	for _, key := range []string{"seed", "parent_sv", "parameters"} {
		if h.has[key] {
			return append(need, "method")
		}
	}
	return need
}

// origin returns what the header says about the origin of the model.
func (h *header) origin() *Provenance {
	if !h.has["method"] {
		return nil
	}
	return &h.provenance
}
