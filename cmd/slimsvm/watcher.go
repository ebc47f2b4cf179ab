package main

import (
	"fmt"
	"strconv"
	"sync/atomic"

	"github.com/slimsvm/slimsvm/cmd/internal/catalog"
	"github.com/slimsvm/slimsvm/cmd/internal/datafile"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/jsonline"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/phrase"
	"github.com/slimsvm/slimsvm/format/encode"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/predict"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/psvm"
)

// A watcher sums up the events of trainings, and passes warnings on. Its counts
// may be read by another goroutine.
type watcher struct {
	warner
	solved    atomic.Int64 // machines
	finished  atomic.Int64 // iterations of these
	running   atomic.Int64 // iterations of the present one
	objective float64
	vectors   atomic.Int64 // of the last round of a method that grows a model
	rounds    []round
	minimal   *minimal                      // of methods that send train.Minimised
	staging                                 // of methods that send train.StageDone
	stage     atomic.Pointer[train.RunDone] // the last that was sent
	shifts    []iteration                   // of methods that send train.IterationDone
	shifted   atomic.Int64                  // how many these are
	drawn     int                           // of methods that send train.RowsDrawn: rows trained on; 0: all
	encoding  *encode.Encoding              // of the rows; nil: their labels are numbers
	trainer   train.Trainer                 // whose events these are
	asked     *predict.Predictor            // of the last model; nil: none was asked
}

// A round is one of a method that grows a model, and how well it does on rows held
// out.
type round struct {
	Vectors int             `json:"vectors"`
	Score   jsonline.Number `json:"score"`
	Loss    jsonline.Number `json:"loss,omitempty"`
}

// iterations returns the number of iterations so far.
func (w *watcher) iterations() int64 { return w.finished.Load() + w.running.Load() }

// iterationsOf returns what counts the iterations of a method: of an ensemble those of all its machines together,
// since these have no others.
func (w *watcher) iterationsOf(m catalog.Method) func() int64 {
	if m.Has("negatives") {
		return w.shifted.Load
	}
	return w.iterations
}

func (w *watcher) report(ev train.Event) {
	switch ev := ev.(type) {
	case train.Progress:
		w.running.Store(int64(ev.Iterations))
	case train.Solved:
		w.running.Store(0)
		w.finished.Add(int64(ev.Iterations))
		w.solved.Add(1)
		w.objective += ev.Objective
	case train.RoundDone:
		w.vectors.Store(int64(ev.Vectors))
		w.rounds = append(w.rounds, round{ev.Vectors, jsonline.Number(ev.Score), jsonline.Number(ev.Loss)})
	case train.IterationDone:
		w.iterationDone(ev)
	case train.Minimised:
		w.minimal = w.minimal.add(ev)
		if ev.Unfinished {
			w.warn("a machine reached the limit of --programmes while still improving: a higher limit may leave fewer vectors")
		}
	case train.RunDone:
		w.stage.Store(&ev)
	case train.StageDone:
		w.staging.add(ev)
	case train.IterationLimit:
		w.warn("training stopped after %d iterations, before it converged: scale the features, or lower the cost", ev.Iterations)
	case train.Unconverged:
		w.warn("%s stopped before %s converged: scale the features, or lower the cost", phrase.Count(ev.Machines, "machine"), phrase.Agree(ev.Machines, "it", "they"))
	case train.NoMargin:
		w.warn("nu-SVC finds no margin between the classes beyond rounding, as when their rows coincide: the model is of no use")
	case train.NoVectors:
		w.warn("the model has no vectors, and predicts one class for all rows")
	case train.FarTargets:
		w.warn("the targets are far from 0 compared with their spread, and this method also minimises the offset, so that predictions are drawn towards 0: subtract the targets' mean, or raise --cost")
	case train.ClassesUndrawn:
		w.warn("%d of %d classes %s none of the %s: --vectors %d is enough for one each", ev.Classes, ev.Of, phrase.Agree(ev.Classes, "has", "have"), phrase.Count(ev.Vectors, "vector"), ev.Of)
	case train.SingleClass:
		w.warn("all rows are of one class")
	case train.WeightUnused:
		w.warn("no row is of class %s, for which there is a weight", w.class(ev.Label))
	case train.LabelsMerged:
		w.warn("class labels are integers: %g and %g are taken as one class", min(ev.First, ev.Second), max(ev.First, ev.Second)) // in a fold, the other may come first
	case train.ManyClasses:
		w.warn("%d classes in %d rows%s: if the labels are numbers to be predicted, train with --method epsilon-svr; "+
			"if they are names of the rows, --class says which column has the label", ev.Classes, ev.Rows, machineMemory(w.trainer, ev))
	case train.RowsDrawn:
		w.drawn = ev.Rows
		if !ev.ByDefault {
			break
		}
		w.warn("trained on %d of %d rows, drawn at random: --rows sets the limit; time and memory grow with its square", ev.Rows, ev.Of)
	case train.OneHyperplane:
		w.warn("each machine has one hyperplane, which mostly predicts worse than one for each pair of classes: these might have more than %d million weights; fewer --rows need fewer, and --one-hyperplane=false has them all the same", psvm.MostWeights/1000000)
	case train.FoldsReduced:
		w.warn("%d folds of %d rows are leave-one-out", ev.Folds, ev.Rows)
	case train.GroupsLeftOut:
		w.warn("%d folds of %d groups are leave-one-group-out", ev.Folds, ev.Groups)
	case train.TooFewDecisions:
		w.warn("the model has no probabilities: fewer than %d training rows are on one side of its boundary; more rows, or another --nu, may do", models.Marks/2)
	}
}

// class returns the text of a label.
func (w *watcher) class(label int) string {
	if w.encoding == nil {
		return strconv.Itoa(label)
	}
	return phrase.Word(w.encoding.LabelText(float64(label)))
}

// trainingsEach is how often a machine is trained where probabilities are
// estimated: five folds, and all rows.
const trainingsEach = 6

// machineMemory says what the machines of many classes take, if that is much: those of pairs have a coefficient
// for each row of two classes, those against the rest, while they are trained, for each row.
func machineMemory(t train.Trainer, e train.ManyClasses) string {
	switch t.(type) {
	case train.OneVsOne:
		return datafile.ManyMachines(models.Pairs(e.Classes), 2*float64(e.Rows)/float64(e.Classes))
	case train.OneVsRest:
		return datafile.ManyMachines(e.Classes, float64(e.Rows))
	}
	return ""
}

// machinesOf returns how many machines a training solves.
func machinesOf(task models.Task, y []float64, oneVsRest, probability bool) int {
	n := 1
	if task.Classifies() {
		classes := map[int]bool{}
		for _, label := range y {
			classes[int(label)] = true
		}
		if n = models.Pairs(len(classes)); oneVsRest && len(classes) > 2 { // two have one machine
			n = len(classes)
		}
	}
	if probability && task != models.OneClass {
		n *= trainingsEach
	}
	return n
}

// A warner prints warnings, each once.
type warner struct {
	*env
	quiet bool
	kept  bool // do not print, but keep
	said  []string
}

// warn prints a warning unless that was done before.
func (w *warner) warn(format string, args ...any) {
	text := fmt.Sprintf("warning: "+format, args...)
	for _, s := range w.said {
		if s == text {
			return
		}
	}
	if len(w.said) == mostWarnings {
		text = "warning: there is more of that kind"
	} else if len(w.said) > mostWarnings {
		return
	}
	w.said = append(w.said, text)
	if !w.quiet && !w.kept {
		w.say("%s", text)
	}
}

// pass prints the warnings of another warner.
func (w *warner) pass(from *warner) {
	for _, text := range from.said {
		w.warn("%s", text[len("warning: "):])
	}
}

// mostWarnings bounds the warnings of a run.
const mostWarnings = 100
