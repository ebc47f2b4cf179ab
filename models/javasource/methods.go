package javasource

import (
	"fmt"

	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// A method is a public method that answers for a row: its comments, the type of its answer, its
// name, and the private method that makes the answer from the machines' values ("" if the values
// are the answer).
type method struct{ comment, returns, jtype, name, of string }

// methods writes the public methods, except encode and scale.
func (s *source) methods() {
	m := s.Model
	jtype, what := s.answers()
	list := []method{
		{"Answers for a row.", what, jtype, "predict", "answer"},
		{"Returns the machines' values, as svm-predict computes them.", "the values, " + s.order(), "double[]", "decisions", ""},
	}
	switch {
	case m.Probability && m.Task.Regresses():
		s.put(`
    /** The scale of the noise: targets differ from predictions by z with the density exp(-|z| / s) / (2 s), Laplace's. */
    public static final double SIGMA = %s;
`, real(s.Noise()))
	case m.Probability && m.Task == models.OneClass:
		list = append(list, method{"Returns the probabilities of inside and outside, in tenths, as svm-predict -b 1 does.",
			"these two", "double[]", "probabilities", "outcomes"})
	case m.Probability:
		list = append(list,
			method{"Returns the probabilities of {@link #classes}, as svm-predict -b 1 does.", "one for each class", "double[]", "probabilities", "outcomes"},
			method{"Answers as svm-predict -b 1 does, with the most probable class, which predict need not.", what, jtype, "mostProbable", "likeliest"})
	}
	if m.Task.Classifies() {
		s.put(`
    /**
     * Returns the labels of the classes.
     *
     * @return a new array of them, in the order of the model
     */
    public static %s[] classes() {
        return CLASSES.clone();
    }
`, jtype)
	}
	if s.Precomputed() && s.Terms > 0 {
		s.put(`
    /**
     * Returns the numbers of the training rows whose kernel values are read: the others' may be any.
     *
     * @return a new array of them; the first row is 1
     */
    public static int[] rows() {
        return ROWS.clone();
    }
`)
	}
	for _, f := range list {
		s.method(f)
	}
}

// method writes two methods: for a row given as an array, and for a row given by its nonzero
// features.
func (s *source) method(f method) {
	open, end := f.of+"(", ")"
	if f.of == "" {
		open, end = "", ""
	}
	x := fmt.Sprintf("the features from %d on; further ones are 0", s.First)
	if s.Precomputed() {
		x = "the values of the kernel"
	}
	s.put(`
    /**
     * ` + f.comment + `
     *
     * @param x ` + x + `
     * @return ` + f.returns + `
     */
    public static ` + f.jtype + ` ` + f.name + `(double[] x) {
`)
	switch {
	case s.Precomputed():
		s.put("        check(x);\n        return " + open + "values($arg)" + end + ";\n    }\n")
		return
	case s.Lists():
		s.put("        check(x);\n        int[] j = features(x);\n        return " + open + "values(j, only(x, j))" + end + ";\n    }\n")
	default:
		s.put("        check(x);\n        return " + open + "values(x)" + end + ";\n    }\n")
	}
	s.put(`
    /**
     * `+f.comment+`
     *
     * @param index the numbers of features, which increase, from %d on
     * @param value their values; all other features are 0
     * @return `+f.returns+`
     */
    public static `+f.jtype+` `+f.name+`(int[] index, double[] value) {
        check(index, value, %[1]d);
`, s.First)
	if s.Lists() {
		s.put("        return " + open + "values(index, value)" + end + ";\n    }\n")
	} else {
		s.put("        return " + open + "values(row(index, value))" + end + ";\n    }\n")
	}
}

// kernel writes the method that computes the kernel value of a row and a vector.
func (s *source) kernel() {
	if s.Terms == 0 {
		return
	}
	s.put("\n    private static double kernel($row, int v) {\n")
	if s.Precomputed() {
		s.put("        return x[ROWS[v] - 1];\n    }\n")
		return
	}
	s.put("        double sum = 0;\n")
	if k, ok := s.Model.Kernel.(kernel.RBF); ok {
		s.distance()
		s.put("        return exp(%s * sum);\n    }\n", real(-k.Gamma))
		return
	}
	s.dot()
	switch k := s.Model.Kernel.(type) {
	case kernel.Linear:
		s.put("        return sum;\n    }\n")
	case kernel.Sigmoid:
		s.put("        return tanh(%s * sum + %s);\n    }\n", real(k.Gamma), real(k.Coef0))
	case kernel.Poly:
		s.put(`        double power = 1;
        sum = %s * sum + %s;
        for (int degree = %d; degree > 0; degree /= 2) {
            if (degree %% 2 == 1)
                power *= sum;
            sum *= sum;
        }
        return power;
    }
`, real(k.Gamma), real(k.Coef0), k.Degree)
	}
}

// distance writes code that sets sum to the squared distance. Features that only the row has count,
// too.
func (s *source) distance() {
	if s.Dense {
		s.put(`        int at = v * WIDTH, n = Math.min(x.length, WIDTH);
        for (int j = 0; j < n; j++) {
            double d = x[j] - Z[at + j];
            sum += d * d;
        }
        for (int j = n; j < WIDTH; j++)
            sum += Z[at + j] * Z[at + j];
        for (int j = WIDTH; j < x.length; j++)
            sum += x[j] * x[j];
`)
		return
	}
	s.put(`        int i = 0, p = BEGIN[v], end = BEGIN[v + 1];
        while (i < x.length || p < end) {
            double d;
            if (p == end || i < x.length && j[i] < INDEX[p])
                d = x[i++];
            else if (i == x.length || INDEX[p] < j[i])
                d = Z[p++];
            else
                d = x[i++] - Z[p++];
            sum += d * d;
        }
`)
}

// dot writes code that sets sum to the dot product.
func (s *source) dot() {
	if s.Dense {
		s.put(`        int at = v * WIDTH, n = Math.min(x.length, WIDTH);
        for (int j = 0; j < n; j++)
            sum += x[j] * Z[at + j];
`)
		return
	}
	s.put(`        int i = 0, p = BEGIN[v], end = BEGIN[v + 1];
        while (i < x.length && p < end)
            if (j[i] < INDEX[p])
                i++;
            else if (INDEX[p] < j[i])
                p++;
            else
                sum += x[i++] * Z[p++];
`)
}

// machines writes the method that computes the machines' values.
func (s *source) machines() {
	s.put("\n    private static double[] values($row) {\n        double[] values = new double[%d];\n", len(s.Model.Machines))
	switch {
	case len(s.Model.Machines) == 0:
	case s.Terms == 0:
		s.put("        for (int i = 0; i < values.length; i++)\n            values[i] = 0 - RHO[i];\n")
	case s.Ensemble():
		s.put("        for (int i = 0; i < values.length; i++)\n            values[i] = kernel($arg, i) - RHO[i];\n")
	default:
		s.put(`        double[] k = new double[VECTORS];
        for (int v = 0; v < VECTORS; v++)
            k[v] = kernel($arg, v);
        for (int i = 0; i < values.length; i++) {
            double sum = 0;
            for (int t = FIRST[i]; t < FIRST[i + 1]; t++)
                sum += COEF[t] * k[VECTOR[t]];
            values[i] = sum - RHO[i];
        }
`)
	}
	s.put("        return values;\n    }\n")
}

// answer writes the method that makes an answer from the machines' values f.
func (s *source) answer() {
	m := s.Model
	jtype, _ := s.answers()
	switch {
	case len(m.Machines) == 0: // a single class, or an ensemble without members
		s.put("\n    private static %s answer(double[] f) {\n        return CLASSES[%d];\n    }\n", jtype, m.Default)
		return
	case s.Ensemble():
		s.elect()
	}
	s.put("\n    private static %s answer(double[] f) {\n", jtype)
	switch {
	case m.Task.Regresses():
		if s.Inputs != nil && s.Inputs.ClassColumn().Scales != nil {
			scale := s.Inputs.ClassColumn().Scales[0]
			s.put("        return f[0] * %s + %s;\n", real(scale.Width), real(scale.Shift))
		} else {
			s.put("        return f[0];\n")
		}
	case m.Task == models.OneClass:
		s.put("        return f[0] > 0 ? 1 : -1;\n")
	case s.Ensemble():
		s.put("        return CLASSES[elect(f)];\n")
	case m.Vote == models.OneVsRest:
		s.put("        return CLASSES[largest(f)];\n")
	default:
		s.put(`        int[] votes = new int[CLASSES.length];
        int pair = 0, best = 0;
        for (int i = 0; i < votes.length; i++)
            for (int j = i + 1; j < votes.length; j++)
                votes[f[pair++] > 0 ? i : j]++;
        for (int i = 1; i < votes.length; i++)
            if (votes[i] > votes[best])
                best = i;
        return CLASSES[best];
`)
	}
	s.put("    }\n")
}
