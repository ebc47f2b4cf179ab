package catalog

import (
	"fmt"
	"strings"

	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/cs"
	"github.com/slimsvm/slimsvm/train/joint"
	"github.com/slimsvm/slimsvm/train/reducedset"
	"github.com/slimsvm/slimsvm/train/smo"
)

// Extra is the name of the option that names a file with the rows of Parameters.Extra.
const Extra = "extra"

// The options of joint optimisation.
var (
	jointDefault = joint.Default()

	jointLoss        = Option{Name: "loss", Usage: "loss function: squared-hinge, multiclass or softmax; for regression squared, or insensitive (the square of what exceeds --epsilon)", Default: "", Words: JointLosses, Text: "squared-hinge, or for few rows in more than two classes the better of squared-hinge and multiclass on held-out rows; for regression insensitive"}
	jointStart       = Option{Name: "start", Usage: "starting vectors: kmeans, random, and for classes cs, or reduced (from the support vectors of csvc); of several, separated by commas, the best on held-out rows", Default: "kmeans", List: true}
	jointEvaluations = Option{Name: "evaluations", Usage: "maximum number of evaluations of the objective, before vectors of a regression are replaced; 0 leaves the vectors where they start", Default: jointDefault.Evaluations, Range: FromZero}
	jointHeldOut     = Option{Name: "held-out", Usage: "share of the rows held out to stop before overfitting; up to 4000 rows, up to five such parts are held out in turn; 0: none", Default: jointDefault.HeldOut, Text: "0.1; up to 4000 rows 0.2, five times", Range: below}
	jointPatience    = Option{Name: "looks", Usage: "with more than 4000 rows, stop after this many looks at the held-out rows without improvement", Default: jointDefault.Patience, Range: FromOne}
	jointPull        = Option{Name: "pull", Symbol: "λ", Usage: "weight of the penalty that keeps vectors near their start; 0: no penalty", Default: jointDefault.Pull, Range: Least}
	jointExtra       = Option{Name: Extra, Usage: "data `FILE` of more training rows, which are never held out", Default: ""}
	jointShift       = Option{Name: "shift", Usage: "rows are images of `WxH` pixels (16x16): also train on each image shifted by one pixel in four directions", Default: ""}
	jointFixedWidth  = Option{Name: "fixed-gamma", Usage: "do not optimise the gamma of an RBF kernel; with neither this nor --gamma, held-out rows choose with which gamma it begins", Default: jointDefault.FixedWidth}
)

// jointCosts are the costs that held-out rows choose among.
const jointCosts = "held-out rows may choose ten times that if none is given, and with up to 4000 rows a tenth in any case"

// Words of options of joint optimisation: for starting vectors and losses, of classes and of numbers.
var (
	JointStarts    = []string{"kmeans", "random", "cs", "reduced"}
	JointSVRStarts = JointStarts[:2] // the others come from classifiers
	JointLosses    = []string{string(joint.SquaredHinge), string(joint.Multiclass), string(joint.Softmax)}
	JointSVRLosses = []string{string(joint.Squared), string(joint.Insensitive)}
)

// joinable are the kernels under which vectors can be moved.
var joinable = []string{"linear", "poly", "rbf", "sigmoid"}

// ofJoint returns the methods of train/joint.
func ofJoint() []Method {
	lossOfNumbers := jointLoss
	lossOfNumbers.Words = JointSVRLosses
	options := func(loss Option) []Option {
		return []Option{vectors, loss, jointStart, jointEvaluations, jointHeldOut, jointPatience, jointPull, jointFixedWidth, jointExtra, jointShift}
	}
	return []Method{
		{
			Name: "joint", Doc: "small classifier: few vectors, optimised together with all weights", Task: models.CSVC, Kernels: joinable,
			Uses: []string{"cost", "weight", "probability"}, Options: options(jointLoss), Together: true,
			Costs: jointCosts,
			New: func(p Parameters) (train.Trainer, error) {
				t, err := p.joint(JointStarts)
				t.Task, t.Weights = models.CSVC, p.Weights
				if err == nil {
					err = t.Validate()
				}
				return p.calibrated(t, t.Task), err
			},
		},
		{
			Name: "joint-svr", Doc: "small regression: few vectors, optimised together with all weights", Task: models.EpsilonSVR, Kernels: joinable,
			Uses: []string{"cost", "epsilon", "probability"}, Options: options(lossOfNumbers), Together: true,
			Costs: jointCosts,
			New: func(p Parameters) (train.Trainer, error) {
				t, err := p.joint(JointSVRStarts)
				t.Task, t.Epsilon = models.EpsilonSVR, p.Epsilon
				if err == nil {
					err = t.Validate()
				}
				return p.calibrated(t, t.Task), err
			},
		},
	}
}

// joint returns a trainer with the parameters that both methods have. starts are the words for
// starting vectors that the method has.
func (p *Parameters) joint(starts []string) (joint.Trainer, error) {
	t := jointDefault
	t.Kernel, t.Cost, t.Seed, t.Threads, t.Report = p.Kernel, p.Cost, p.Seed, p.Solver.Threads, p.Solver.Report
	t.Loss = joint.Loss(valueOf[string](p, jointLoss))
	if n := valueOf[int](p, vectors); n != 0 {
		t.Vectors = n
	}
	t.Evaluations, t.HeldOut = valueOf[int](p, jointEvaluations), valueOf[float64](p, jointHeldOut)
	if _, given := p.Values[jointHeldOut.Name]; given {
		t.FewHeldOut = t.HeldOut
	}
	t.Patience, t.Pull = valueOf[int](p, jointPatience), valueOf[float64](p, jointPull)
	t.FixedWidth, t.ChooseWidth, t.Extra = valueOf[bool](p, jointFixedWidth), p.FreeGamma, p.Extra
	t.ChooseCost = p.FreeCost
	if text := valueOf[string](p, jointShift); text != "" {
		var s joint.Shifts
		if n, err := fmt.Sscanf(text, "%dx%d", &s.Width, &s.Height); n != 2 || err != nil || text != fmt.Sprintf("%dx%d", s.Width, s.Height) || s.Width < 1 || s.Height < 1 {
			return t, fmt.Errorf("--%s %q: expected width and height, such as 16x16", jointShift.Name, text)
		}
		t.Virtual = s
	}
	t.Starts = nil
	for _, name := range strings.Split(valueOf[string](p, jointStart), ",") {
		if err := CheckWord(jointStart.Name, name, starts); err != nil {
			return t, fmt.Errorf("%w, or several with commas", err)
		}
		switch name {
		case "kmeans":
			t.Starts = append(t.Starts, joint.KMeans{})
		case "random":
			t.Starts = append(t.Starts, joint.RandomRows{})
		case "cs":
			s := cs.Default()
			s.Seed = p.Seed
			t.Starts = append(t.Starts, cs.Basis{Settings: s, Kernel: p.Kernel})
		case "reduced":
			machines := train.OneVsRest{Solver: smo.CSVC{C: p.Cost, Options: p.Solver}, Kernel: p.Kernel, Task: models.CSVC, Threads: p.Solver.Threads}
			t.Starts = append(t.Starts, reducedset.DefaultBasis(machines, p.Solver.Threads))
		}
	}
	return t, nil
}
