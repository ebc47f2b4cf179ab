package javasource

import (
	"github.com/slimsvm/slimsvm/models"
)

// Problem: compute the probabilities of package predict, with the same operations in the same
// order. models/csource does the same.

// probabilities writes the methods that compute probabilities from the machines' values f.
func (s *source) probabilities() {
	m := s.Model
	if s.Ensemble() && len(m.Machines) > 0 || m.Task.Classifies() && len(m.Machines) > 0 && m.Vote == models.OneVsRest || m.Probability && m.Task.Classifies() {
		s.put(`
    private static int largest(double[] of) {
        int best = 0;
        for (int c = 1; c < of.length; c++)
            if (of[c] > of[best])
                best = c;
        return best;
    }
`)
	}
	if !m.Probability || m.Task.Regresses() {
		return
	}
	if s.ClassProbabilities() && len(m.Machines) > 0 {
		s.put(`
    private static double logistic(double value, int i) {
        double z = value * SIGMOID[2 * i] + SIGMOID[2 * i + 1], e = exp(z >= 0 ? -z : z);
        return z >= 0 ? e / (1 + e) : 1 / (1 + e);
    }

    private static double apart(double r) {
        return r > %s ? %[1]s : r > 1e-7 ? r : 1e-7;
    }
`, real(1-1e-7))
	}
	if s.Ensemble() && len(m.Machines) > 0 {
		s.likely()
	}
	if m.Task.Classifies() {
		jtype, _ := s.answers()
		s.put("\n    private static %s likeliest(double[] f) {\n        return CLASSES[largest(outcomes(f))];\n    }\n", jtype)
	}
	s.put("\n    private static double[] outcomes(double[] f) {\n")
	if m.Task == models.OneClass {
		s.levels()
		return
	}
	s.put("        double[] p = new double[CLASSES.length];\n")
	switch {
	case len(m.Machines) == 0: // a single class, or an ensemble without members
		s.put("        p[%d] = 1;\n", m.Default)
	case len(m.Labels) == 1:
		s.put("        p[0] = 1;\n")
	case s.Ensemble():
		s.shares()
	case m.Vote == models.OneVsRest:
		s.put(`        double sum = 0;
        for (int i = 0; i < p.length; i++) {
            p[i] = apart(logistic(f[i], i));
            sum += p[i];
        }
        for (int i = 0; i < p.length; i++)
            p[i] /= sum;
`)
	case len(m.Labels) == 2:
		s.put("        p[0] = apart(logistic(f[0], 0));\n        p[1] = 1 - p[0];\n")
	default:
		s.put(`        int n = p.length, pair = 0;
        double[][] q = new double[n][n];
        for (int i = 0; i < n; i++)
            for (int j = i + 1; j < n; j++, pair++) {
                double first = apart(logistic(f[pair], pair)), second = 1 - first;
                q[i][i] += second * second;
                q[j][j] += first * first;
                q[i][j] = q[j][i] = -first * second;
            }
        couple(q, p);
`)
	}
	s.put("        return p;\n    }\n")
	if s.Coupled() {
		s.put(`
    private static void couple(double[][] q, double[] p) {
        int n = p.length;
        double[] qp = new double[n];
        java.util.Arrays.fill(p, 1.0 / n);
        for (int round = 0; round < %d; round++) {
            double pqp = 0, worst = 0;
            for (int i = 0; i < n; i++) {
                double sum = 0;
                for (int j = 0; j < n; j++)
                    sum += q[i][j] * p[j];
                qp[i] = sum;
                pqp += p[i] * sum;
            }
            for (int i = 0; i < n; i++)
                if (Math.abs(qp[i] - pqp) > worst)
                    worst = Math.abs(qp[i] - pqp);
            if (worst < 0.005 / n)
                return;
            for (int i = 0; i < n; i++) {
                double step = (pqp - qp[i]) / q[i][i], sum = 1 + step;
                p[i] += step;
                pqp = (pqp + step * (step * q[i][i] + 2 * qp[i])) / sum / sum;
                for (int j = 0; j < n; j++) {
                    qp[j] = (qp[j] + step * q[i][j]) / sum;
                    p[j] /= sum;
                }
            }
        }
    }
`, max(100, len(m.Labels)))
	}
}

// levels writes the probabilities of a one-class model.
func (s *source) levels() {
	s.put("        double[] marks = {")
	for i, v := range s.Model.DensityMarks {
		if i > 0 {
			s.put(", ")
		}
		s.put("%s", real(v))
	}
	s.put(`};
        double p = 0.999;
        if (f[0] < marks[0])
            p = 0.001;
        else if (!(f[0] >= marks[marks.length - 1])) {
            int i = 1;
            while (f[0] >= marks[i])
                i++;
            p = i / 10.0;
        }
        return new double[] {p, 1 - p};
    }
`)
}
