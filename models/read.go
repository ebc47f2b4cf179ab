package models

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"

	"github.com/slimsvm/slimsvm/format/textscan"
)

// Read reads a model file, of LIBSVM or in the extended dialect. It accepts what LIBSVM accepts if
// the file is complete and consistent. Memory grows with the lines that are read, not with the
// counts that the file states. A fault is a *textscan.Error (the same type as *format.Error) with
// line and column.
func Read(r io.Reader) (*Model, error) {
	return read(r, runtime.GOMAXPROCS(0), partBytes)
}

// read is Read with the number of goroutines and the size of the parts that they read.
func read(r io.Reader, workers, size int) (*Model, error) {
	s := &words{lines: textscan.NewLines(r)}
	h, err := s.header()
	if err != nil {
		return nil, err
	}
	at := s.lines.Number() // line of SV
	s.skip()
	m, err := h.model()
	if err != nil {
		return nil, &textscan.Error{Line: at, Err: err}
	}
	// the machines have these numbers; with thousands of classes they are megabytes
	h.rho, h.probA, h.probB = nil, nil, nil
	if err := readVectors(s.lines, h, m, workers, size); err != nil {
		return nil, err
	}
	if err := m.Validate(); err != nil {
		return nil, &textscan.Error{Line: at, Err: err}
	}
	return m, nil
}

// headerKeys are the words with which a model file may begin.
var headerKeys = []string{
	extendedMark, "svm_type", "kernel_type", "degree", "gamma", "coef0", "nr_class", "total_sv",
	"rho", "label", "probA", "probB", "prob_density_marks", "nr_sv",
}

// Sniff reports whether a file whose first bytes are head looks like a model file: it begins with
// a key of model files and something after it. Use it to tell a model from a data file.
func Sniff(head []byte) bool {
	word := bytes.Fields(bytes.TrimPrefix(head, byteOrderMark))
	return len(word) > 1 && slices.Contains(headerKeys, string(word[0]))
}

// endOf turns the end of a text into an error that says what was expected.
func endOf(err error, line int, expected string) error {
	if err != io.EOF {
		return err
	}
	return &textscan.Error{Line: max(line, 1), Err: fmt.Errorf("the file ends where %s is expected", expected)}
}

// model checks the header and builds a model without vectors from it.
func (h *header) model() (*Model, error) {
	need := []string{"svm_type", "kernel_type", "nr_class", "total_sv", "rho"}
	if h.task.Classifies() {
		need = append(need, "label", "nr_sv")
	}
	if h.extended {
		need = h.needExtended()
	}
	for _, key := range need {
		if !h.has[key] {
			return nil, fmt.Errorf("%s is missing", key)
		}
	}
	if !h.listsFit() {
		return nil, errors.New("nr_class changed after the lists whose length it gives")
	}
	k, err := h.kernel()
	if err != nil {
		return nil, err
	}
	m := &Model{Task: h.task, Kernel: k}
	if h.extended {
		m.Provenance = h.origin()
	}
	for _, key := range ensembleKeys {
		if h.has[key] && !h.isEnsemble() {
			return nil, fmt.Errorf("%s is of no use for a model that is no ensemble", key)
		}
	}
	if !h.task.Classifies() {
		if h.has["multiclass"] {
			return nil, fmt.Errorf("multiclass is of no use for svm_type %v, which has one machine", h.task)
		}
		if h.classes != 2 {
			return nil, fmt.Errorf("nr_class is %d, expected 2 for svm_type %v", h.classes, h.task)
		}
		m.Machines = []Machine{{Rho: h.rho[0]}}
		return m, h.probability(m)
	}
	if h.isEnsemble() {
		of, err := h.ensembleModel()
		if err != nil {
			return nil, err
		}
		of.Provenance = m.Provenance
		return of, nil
	}
	if h.extended {
		m.Labels, m.Vote = h.label, h.vote
		m.addMachines(h.rho)
		return m, h.probability(m)
	}
	total := int64(0)
	for _, n := range h.group {
		total += int64(n)
	}
	if total != int64(h.total) {
		return nil, fmt.Errorf("total_sv is %d, but nr_sv add up to %d", h.total, total)
	}
	if h.classes == 1 && total > 0 {
		return nil, fmt.Errorf("total_sv is %d, but a model of one class has no support vectors", total)
	}
	m.Labels, m.Group = h.label, h.group
	m.addMachines(h.rho)
	return m, h.probability(m)
}

// listsFit reports whether the lists have the length that nr_class gives. A second nr_class may
// contradict them.
func (h *header) listsFit() bool {
	fits := func(key string, length, expected int) bool { return !h.has[key] || length == expected }
	machines := h.machines()
	return fits("rho", len(h.rho), machines) &&
		fits("probA", len(h.probA), machines) &&
		fits("probB", len(h.probB), machines) &&
		fits("label", len(h.label), h.classes) &&
		fits("nr_sv", len(h.group), h.classes)
}

// probability moves the probability information into m.
func (h *header) probability(m *Model) error {
	switch {
	case h.task == OneClass:
		m.DensityMarks, m.Probability = h.marks, h.has["prob_density_marks"]
	case h.task.Regresses():
		if m.Probability = h.has["probA"]; m.Probability {
			m.Noise = h.probA[0]
		}
	case h.has["probA"] != h.has["probB"]:
		return errors.New("probA and probB belong together, one is missing")
	case h.has["probA"]:
		m.Probability = true
		sigmoids := make([]Sigmoid, len(m.Machines))
		for i := range m.Machines {
			sigmoids[i] = Sigmoid{h.probA[i], h.probB[i]}
			m.Machines[i].Sigmoid = &sigmoids[i]
		}
	}
	return nil
}

// readVectors reads the lines after SV. Each has coefficients, then features.
func readVectors(lines *textscan.Lines, h *header, m *Model, workers, size int) error {
	if m.Vote == Ensemble {
		if err := readMachineLines(lines, h, m); err != nil {
			return err
		}
	} else {
		r := newVectorReader(lines, h, m)
		if err := r.read(workers, size); err != nil {
			return err
		}
		lines = r.lines
	}
	for {
		line, err := lines.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		switch text := bytes.TrimSpace(line); {
		case string(text) == inputsMark:
			return m.readInputs(lines)
		case len(text) > 0:
			return &textscan.Error{Line: lines.Number(), Column: 1,
				Err: fmt.Errorf("expected the end of the file after %d support vectors, found %s", h.total, textscan.QuoteWord(line))}
		}
	}
}

// readInputs reads the rest of the file into Inputs.
func (m *Model) readInputs(lines *textscan.Lines) error {
	m.Inputs, m.InputsLine = []byte{}, lines.Number()+1
	for {
		line, err := lines.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		m.Inputs = append(append(m.Inputs, line...), '\n')
	}
}
