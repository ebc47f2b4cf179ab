package compat_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
)

// A tally counts judgements; several tests may add to it at once.
type tally struct {
	mu     sync.Mutex
	grades [different + 1]int
	notes  []string // what is not equal to the byte
}

// add counts one judgement of the named output and fails t if it is a difference.
func (y *tally) add(t *testing.T, name string, j judgement) {
	t.Helper()
	y.mu.Lock()
	defer y.mu.Unlock()
	y.grades[j.grade]++
	switch j.grade {
	case permitted:
		y.notes = append(y.notes, fmt.Sprintf("%s: %s", name, j.detail))
	case different:
		y.notes = append(y.notes, fmt.Sprintf("%s: DIFFERENT: %s", name, j.detail))
		t.Errorf("%s: %s", name, j.detail)
	}
}

// compared returns the number of judgements.
func (y *tally) compared() int {
	n := 0
	for _, c := range y.grades {
		n += c
	}
	return n
}

// String gives the counts in one line.
func (y *tally) String() string {
	return fmt.Sprintf("%d outputs compared: %d equal to the byte, %d with a reason added to the error message, %d otherwise permitted, %d different",
		y.compared(), y.grades[equal], y.grades[reasoned], y.grades[permitted], y.grades[different])
}

// list gives the outputs that are not equal to the byte, one a line.
func (y *tally) list() string {
	slices.Sort(y.notes)
	return "\n\t" + strings.Join(y.notes, "\n\t")
}
