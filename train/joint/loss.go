package joint

import (
	"fmt"
	"math"
	"strings"

	"github.com/slimsvm/slimsvm/models/kernel"
)

// A Loss measures how far a row's outputs are from what they should be.
type Loss string

// The losses: three for classifiers, two for regressions. Classifiers have one output for each
// class, or a single output for two classes, positive for the first.
const (
	// SquaredHinge compares one class with the rest: sum_l max(0, 1 - y_l f_l)^2.
	SquaredHinge Loss = "squared-hinge"
	// Multiclass compares outputs: the sum over the other classes k of max(0, 1 - (f_y - f_k))^2,
	// where y is the row's class.
	Multiclass Loss = "multiclass"
	// Softmax is minus the logarithm of the probability e^f_y / sum_k e^f_k.
	Softmax Loss = "softmax"
	// Squared is the squared difference from the target.
	Squared Loss = "squared"
	// Insensitive is the squared difference beyond epsilon.
	Insensitive Loss = "insensitive"
)

// Losses lists all losses, those of classifiers first.
var Losses = []Loss{SquaredHinge, Multiclass, Softmax, Squared, Insensitive}

// anyOf lists several losses: a, b or c.
func anyOf(losses []Loss) string {
	words := make([]string, len(losses))
	for i, l := range losses {
		words[i] = string(l)
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// loss is a Loss for a number of outputs.
type loss interface {
	// of returns the loss of outputs f and replaces them by its gradient.
	of(f []float64, y target) float64
}

func lossOf(name Loss, epsilon float64) (loss, error) {
	switch name {
	case SquaredHinge:
		return squaredHinge{}, nil
	case Multiclass:
		return multiclass{}, nil
	case Softmax:
		return softmax{}, nil
	case Squared:
		return insensitive{0}, nil
	case Insensitive:
		return insensitive{epsilon}, nil
	}
	return nil, fmt.Errorf("no loss %q", name)
}

type squaredHinge struct{}

func (squaredHinge) of(f []float64, y target) float64 {
	sum := 0.0
	for l, v := range f {
		side := -1.0
		if l == y.class {
			side = 1
		}
		short := max(0, 1-float64(side*v))
		sum += float64(short * short)
		f[l] = -2 * side * short
	}
	return sum
}

type multiclass struct{}

func (multiclass) of(f []float64, y target) float64 {
	if len(f) == 1 {
		return squaredHinge{}.of(f, y)
	}
	sum, own := 0.0, 0.0
	right := f[y.class]
	for l, v := range f {
		if l == y.class {
			continue
		}
		short := max(0, 1-(right-v))
		sum += float64(short * short)
		f[l] = 2 * short
		own -= 2 * short
	}
	f[y.class] = own
	return sum
}

type softmax struct{}

func (softmax) of(f []float64, y target) float64 {
	if len(f) == 1 {
		side := -1.0
		if y.class == 0 {
			side = 1
		}
		m := side * f[0] // log(1 + e^-m)
		e := kernel.Exp(-math.Abs(m))
		f[0] = -side * e / (1 + e)
		if m < 0 {
			f[0] = -side / (1 + e)
		}
		return kernel.Log1p(e) + max(0, -m)
	}
	top := math.Inf(-1)
	for _, v := range f {
		top = max(top, v)
	}
	right, sum := f[y.class], 0.0
	for l, v := range f {
		f[l] = kernel.Exp(v - top)
		sum += f[l]
	}
	for l := range f {
		f[l] /= sum
	}
	f[y.class]--
	return kernel.Log(sum) + top - right
}

type insensitive struct{ epsilon float64 }

func (s insensitive) of(f []float64, y target) float64 {
	d := f[0] - y.value
	beyond := max(0, math.Abs(d)-s.epsilon)
	f[0] = 2 * math.Copysign(beyond, d)
	return beyond * beyond
}
