// Package predict answers with trained models: labels or targets, decision values and
// probabilities. It also computes the scores of a set of answers, such as accuracy, F1 and R2.
//
// [New] makes a [Predictor] of a model that models.Read or a trainer returned. Then
//
//   - [Predictor.Predict] answers for one row, see its example
//   - [Predictor.StreamAnswers] answers for many rows as they are read, on all processors
//   - [Batch] answers for up to [BatchRows] rows at once, without goroutines
//
// The answers are the same to the last bit in all three ways. Call [Predictor.Check] for rows from
// outside: the answering methods do not check them. They keep nothing of their rows and do not
// change them. Those of a Predictor use the same memory again, so that they allocate none. With
// many vectors a batch of tens of rows takes little longer than one row by Predict.
//
// [Scores], [Confusion] and [Ranking] collect answers beside the true labels.
package predict

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/predict/internal/pairs"
)

// A Predictor answers with one model: the zero Predictor has none. It does not change, and several goroutines may use it at
// once. For batches, and after a few answers for single rows, it keeps the model's vectors a second
// time, packed for that.
type Predictor struct {
	model   *models.Model
	start   []int            // where the vectors of each class begin
	members []ensembleMember // members of an ensemble
	serials int              // the largest serial number of a precomputed model's vectors

	mu          sync.Mutex
	packedBank  *bank // the model prepared for batches, when first needed
	spareBank   *bank // memory for another bank
	filterTried bool  // newFilter was called
	batchFilter *filter
	spareFilter *filter // memory for another filter

	singles atomic.Int64         // number of answers for single rows before rows is set
	rows    atomic.Pointer[bank] // the bank for single rows; nil: there were few
}

// fewSingles is the number of answers for single rows that are computed from the vectors as they
// are. Then they are packed for more answers, which takes about as long as one.
const fewSingles = 4

// rowBank returns the bank for single rows, nil if there were few.
func (p *Predictor) rowBank() *bank {
	b := p.rows.Load()
	if b == nil && p.singles.Add(1) > fewSingles {
		b = p.bank()
		p.rows.Store(b)
	}
	return b
}

// bank returns the model prepared for batches.
func (p *Predictor) bank() *bank {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.packedBank == nil {
		if p.packedBank, p.spareBank = p.spareBank, nil; p.packedBank == nil {
			p.packedBank = new(bank)
		}
		p.packedBank.use(p.model, p.start)
	}
	return p.packedBank
}

// filter returns the filter that finds answers of batches, nil if there is none.
func (p *Predictor) filter() *filter {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.filterTried {
		p.filterTried, p.batchFilter = true, newFilter(p)
	}
	return p.batchFilter
}

// scratch is scratch memory for one answer.
type scratch struct {
	kernel    []float64 // one value for each vector, when needed
	row       kernel.RowScratch
	decisions []float64        // one value for each machine
	votes     []int            // one number for each class
	given     []float64        // in an ensemble, what each class is given
	pairs     []float64        // in an answer by pairs, the probability of each pair
	sigmoids  []models.Sigmoid // the sigmoids of the pairs, next to each other
	coupling  pairs.Coupling
	evaluator memberEvaluator
}

// scratches holds unused scratch memory, for all predictors: training makes many small ones.
var scratches = sync.Pool{New: func() any { return new(scratch) }}

// scratch returns scratch memory for the model. The caller puts it back into scratches.
func (p *Predictor) scratch() *scratch {
	p.checkModel()
	s := scratches.Get().(*scratch)
	s.decisions = room(s.decisions, len(p.model.Machines))
	s.votes = slices.Grow(s.votes[:0], len(p.model.Labels))[:len(p.model.Labels)]
	return s
}

// New returns a predictor of m, or an error if m is not valid. It keeps m, which must not be
// changed. New looks at all of m: make one predictor and keep it.
func New(m *models.Model) (*Predictor, error) {
	p := new(Predictor)
	if err := p.Use(m); err != nil {
		return nil, err
	}
	return p, nil
}

// Use makes p a predictor of m as New does, in the memory that p has. p is a zero Predictor or one
// that was released. After an error p has no model.
func (p *Predictor) Use(m *models.Model) error {
	p.model, p.members, p.serials = nil, nil, 0
	if err := m.Validate(); err != nil {
		return fmt.Errorf("invalid model: %w", err)
	}
	if m.Kernel == (kernel.Precomputed{}) {
		for i := range m.Vectors.Len() {
			serial, err := kernel.Serial(m.Vectors.Row(i))
			if err != nil {
				return fmt.Errorf("invalid model: vector %d: %w", i+1, err)
			}
			p.serials = max(p.serials, serial)
		}
	}
	p.model, p.start, p.members = m, m.AppendGroupStart(p.start[:0]), ensembleMembers(m)
	return nil
}

// Release gives the memory that p has prepared for batches to predictors made later, most of it to
// p's own next Use. It helps programs that make many predictors. Do not use p again before its next
// Use, nor a batch of it before the batch's own Use.
func (p *Predictor) Release() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.packedBank != nil {
		p.packedBank.basis.Release()
		p.packedBank.layout, p.packedBank.nonzero = layout{}, nil
		p.spareBank = p.packedBank
	}
	if p.batchFilter != nil {
		p.batchFilter.release()
		p.spareFilter = p.batchFilter
	}
	p.packedBank, p.filterTried, p.batchFilter = nil, false, nil
	p.model, p.members = nil, nil // something may still hold p
	p.singles.Store(0)
	p.rows.Store(nil)
}

// checkModel panics unless there is a model.
func (p *Predictor) checkModel() {
	if p.model == nil {
		panic("predict: a Predictor without a model: New returns one of a model")
	}
}

// Model returns the model. It must not be changed.
func (p *Predictor) Model() *models.Model { return p.model }

// Check returns an error if the model cannot answer for x: if indices do not increase, a value is
// not finite, or, with a precomputed kernel, a value that the model needs is missing. The methods
// that answer do not check: for such a row they may return any answer, or panic.
//
// Features that no vector of the model has are no fault, as in LIBSVM: a model does not say how
// many features a row has. In the RBF kernel they count as distance from all vectors, in the other
// kernels not at all. A program that knows the number checks it itself, as the example of Predictor
// does.
//
// Check computes no kernel values. If those of a row with huge values overflow, decision values may be
// NaN. A regression then predicts NaN, a one-class model answers -1, and a classifier answers with a
// label that means nothing: only [Predictor.Decisions] shows it. A machine with an infinite Rho, which
// Validate allows, has an infinite value for every row; a regression predicts that, as LIBSVM does.
func (p *Predictor) Check(x vec.Vector) error {
	if err := x.Check(); err != nil {
		return err
	}
	if p.serials == 0 {
		return nil
	}
	return kernel.CheckColumns(x, p.serials)
}

// decide sets s.decisions to the machines' values for x.
func (p *Predictor) decide(s *scratch, x vec.Vector) {
	m := p.model
	s.kernel = room(s.kernel, m.Vectors.Len())
	if b := p.rowBank(); b != nil {
		b.basis.EvaluateRowTo(s.kernel, x, &s.row)
	} else {
		m.Kernel.EvaluateTo(s.kernel, x, &m.Vectors)
	}
	for i := range m.Machines {
		s.decisions[i] = p.combine(s, i)
	}
}

// combine returns the value of machine i for the row whose kernel values s has.
func (p *Predictor) combine(s *scratch, i int) float64 {
	c := &p.model.Machines[i]
	sum := 0.0
	if c.Index != nil {
		coef := c.Coef[:len(c.Index)]
		for k, v := range c.Index {
			sum += float64(coef[k] * s.kernel[v])
		}
		return sum - c.Rho
	}
	coef := c.Coef
	for _, span := range c.Spans(p.start) {
		values := s.kernel[span.From:span.To]
		for k, a := range coef[:len(values)] {
			sum += float64(a * values[k])
		}
		coef = coef[len(values):]
	}
	return sum - c.Rho
}

// Decisions sets dst to the machines' values for x, one for each machine in the model's order. For
// a regression the value is the predicted target, for a one-class model it is positive inside the
// region. It panics if dst has another length.
func (p *Predictor) Decisions(dst []float64, x vec.Vector) {
	p.checkModel()
	if len(dst) != len(p.model.Machines) {
		panic("predict: dst needs one place for each machine")
	}
	s := p.scratch()
	defer scratches.Put(s)
	p.decide(s, x)
	copy(dst, s.decisions)
}

// Predict returns the answer for x: for a classifier the label of the class, for a one-class model
// 1 (inside) or -1, for a regression the target.
func (p *Predictor) Predict(x vec.Vector) float64 {
	s := p.scratch()
	defer scratches.Put(s)
	return p.answer(s, x)
}

func (p *Predictor) answer(s *scratch, x vec.Vector) float64 {
	p.decide(s, x)
	return p.vote(s)
}

// vote turns the machines' values into an answer.
func (p *Predictor) vote(s *scratch) float64 {
	m := p.model
	switch {
	case m.Task.Regresses():
		return s.decisions[0]
	case m.Task == models.OneClass:
		if s.decisions[0] > 0 {
			return 1
		}
		return -1
	case m.Vote == models.Ensemble:
		return float64(m.Labels[p.ensemble(s)])
	case m.Vote == models.OneVsRest:
		return float64(m.Labels[argMax(s.decisions)])
	}
	// Each machine votes. As in LIBSVM, a value that is not positive (also 0 and NaN) votes for the
	// second class, and in ties the first class wins.
	clear(s.votes)
	for i := range m.Machines {
		if s.decisions[i] > 0 {
			s.votes[m.Machines[i].Pos]++
		} else {
			s.votes[m.Machines[i].Neg]++
		}
	}
	return float64(m.Labels[argMax(s.votes)])
}

// argMax returns the index of the first largest element.
func argMax[T int | float64](values []T) int {
	best := 0
	for i, v := range values {
		if v > values[best] {
			best = i
		}
	}
	return best
}
