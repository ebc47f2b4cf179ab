package javasource

import (
	"github.com/slimsvm/slimsvm/models"
)

// Problem: compute the answers and probabilities of an ensemble as package predict does, member by
// member. models/csource does the same.

// elect writes the methods for what members say and for the answer of the ensemble.
func (s *source) elect() {
	planes, _ := s.Largest()
	value := "f[i]"
	if planes == 1 {
		s.put(`
    private static boolean calls(double[] f, int i) {
        return f[i] > 0;
    }
`)
	} else {
		value = "least(f, i)"
		s.put(`
    private static boolean calls(double[] f, int i) {
        int classes = SIZE[i], q = PLANES[i];
        int[] votes = new int[classes];
        for (int a = 0; a < classes; a++)
            for (int b = a + 1; b < classes; b++)
                votes[f[q++] > 0 ? a : b]++;
        for (int a = 1; a < classes; a++)
            if (votes[a] > votes[0])
                return false;
        return true;
    }
`)
		if s.Model.Ballot != models.ByProbability {
			s.put(`
    private static double least(double[] f, int i) {
        int at = PLANES[i];
        double least = f[at];
        for (int q = 1; q + 1 < SIZE[i]; q++)
            if (f[at + q] < least || f[at + q] != f[at + q])
                least = f[at + q];
        return least;
    }
`)
		}
	}
	given, other, least := "1", value, "Double.NEGATIVE_INFINITY"
	switch s.Model.Ballot {
	case models.ByProbability:
		given, other, least = "likely(f, i)", "likely(f, i)", "0"
	case models.ByDecision:
		given = value
	}
	negative := ""
	if s.Model.Ballot == models.ByDecision {
		negative = "                if (v < 0)\n                    v = 0;\n"
	}
	s.put(`
    private static int elect(double[] f) {
        double[] given = new double[CLASSES.length];
        java.util.Arrays.fill(given, -1); // less than any member gives
        double best = %s;
        int answer = %d;
        boolean spoken = false;
        for (int i = 0; i < MEMBERS; i++) {
            int c = MEMBER[i];
            if (calls(f, i)) {
                double v = %s;
%s                given[c] = (given[c] < 0 ? 0 : given[c]) + v;
                spoken = true;
            } else if (!spoken) {
                double v = %s;
                if (v > best) {
                    best = v;
                    answer = c;
                }
            }
        }
        return spoken ? largest(given) : answer;
    }
`, least, s.Model.Default, given, negative, other)
}

// shares writes the method body that computes the probabilities of an ensemble.
func (s *source) shares() {
	s.put(`        int answer = %d;
        boolean spoken = false;
        for (int i = 0; i < MEMBERS; i++) {
            boolean called = calls(f, i);
            if (spoken && !called)
                continue;
            if (called && !spoken)
                java.util.Arrays.fill(p, 0);
            int c = MEMBER[i];
            double v = likely(f, i);
            if (!called)
                p[c] = p[c] > v || p[c] != p[c] ? p[c] : v;
            else {
                if (!spoken || c < answer)
                    answer = c;
                spoken = true;
                p[c] += v;
            }
        }
        double sum = 0;
        for (double v : p)
            sum += v;
        if (sum == 0)
            p[answer] = 1;
        sum = 0;
        for (int c = 0; c < p.length; c++)
            sum += p[c] += 0.1 / p.length;
        for (int c = 0; c < p.length; c++)
            p[c] /= sum;
`, s.Model.Default)
}

// likely writes the method for the probability that a member gives its own class. For one
// hyperplane it is the sigmoid; for three or four classes, package predict's closed forms; for more
// classes, the solution of the coupling's equations.
func (s *source) likely() {
	if planes, _ := s.Largest(); planes == 1 {
		s.put("\n    private static double likely(double[] f, int i) {\n        return logistic(f[i], i);\n    }\n")
		return
	}
	sizes := s.MemberSizes()
	s.put(`
    private static double likely(double[] f, int i) {
        int classes = SIZE[i];
        double[] r = new double[classes * (classes - 1) / 2];
        for (int q = 0; q < r.length; q++) {
            r[q] = logistic(f[PLANES[i] + q], PLANES[i] + q);
            if (classes > 2 && r[q] == r[q])
                r[q] = apart(r[q]);
        }
        switch (classes) {
`)
	if sizes[2] {
		s.put("            case 2: return r[0];\n")
	}
	if sizes[3] {
		s.put("            case 3: return three(r);\n")
	}
	if sizes[4] {
		s.put("            case 4: return four(r);\n")
	}
	if sizes[5] {
		s.put("            default: return many(classes, r);\n")
	} else {
		s.put("            default: return Double.NaN; // there is none\n")
	}
	s.put("        }\n    }\n")
	if sizes[3] {
		s.put("%s", three)
	}
	if sizes[4] {
		s.put("%s", four)
	}
	if sizes[5] {
		s.put("%s", many)
	}
}

// The methods for the first of three classes (by cofactors of the matrix of the coupling), of four
// (by eliminating the other classes from the last one on), and of n (by triangular factors of the
// matrix in which that class is last; rows are stored up to the diagonal).
const (
	three = `
    private static double three(double[] r) {
        double r10 = 1 - r[0], r20 = 1 - r[1], r21 = 1 - r[2];
        double s01 = r[0] * r[0], s10 = r10 * r10, o01 = r[0] * r10;
        double s02 = r[1] * r[1], s20 = r20 * r20, o02 = r[1] * r20;
        double s12 = r[2] * r[2], s21 = r21 * r21, o12 = r[2] * r21;
        double c01 = o01 * (s02 + s12) + o02 * o12;
        double c02 = o02 * (s01 + s21) + o01 * o12;
        double c12 = o12 * (s10 + s20) + o01 * o02;
        double c00 = s01 * (s02 + s12) + s21 * s02;
        double c11 = s10 * (s02 + s12) + s20 * s12;
        double c22 = s21 * (s10 + s20) + s20 * s01;
        double p = c00 + c01 + c02;
        return p / (p + (c01 + c11 + c12) + (c02 + c12 + c22));
    }
`
	four = `
    private static double pivot(double v, double least) {
        return v > least || v != v ? v : least;
    }

    private static double four(double[] r) {
        double r10 = 1 - r[0], r20 = 1 - r[1], r30 = 1 - r[2];
        double r21 = 1 - r[3], r31 = 1 - r[4], r32 = 1 - r[5];
        double q0 = r10 * r10 + r20 * r20 + r30 * r30;
        double q1 = r[0] * r[0] + r21 * r21 + r31 * r31;
        double q2 = r[1] * r[1] + r[3] * r[3] + r32 * r32;
        double q3 = r[2] * r[2] + r[4] * r[4] + r[5] * r[5];
        double o01 = r[0] * r10, o02 = r[1] * r20, o03 = r[2] * r30;
        double o12 = r[3] * r21, o13 = r[4] * r31, o23 = r[5] * r32;
        double f = 1 / q3, sum = f;
        double l0 = o03 * f, l1 = o13 * f, l2 = o23 * f;
        double d0 = q0 - o03 * l0, d1 = q1 - o13 * l1, d2 = pivot(q2 - o23 * l2, q2 * 1e-15);
        double y0 = 1 + l0, y1 = 1 + l1, y2 = 1 + l2;
        o01 = o01 + o13 * l0;
        o02 = o02 + o23 * l0;
        o12 = o12 + o23 * l1;

        f = 1 / d2;
        l0 = o02 * f;
        l1 = o12 * f;
        d0 = d0 - o02 * l0;
        d1 = pivot(d1 - o12 * l1, q1 * 1e-15);
        o01 += o12 * l0;
        y0 = y0 + l0 * y2;
        y1 = y1 + l1 * y2;
        sum += y2 * y2 * f;

        f = 1 / d1;
        l0 = o01 * f;
        d0 = pivot(d0 - o01 * l0, q0 * 1e-15);
        y0 += l0 * y1;
        sum += y1 * y1 * f;
        return y0 / (y0 * y0 + sum * d0);
    }
`
	many = `
    private static double many(int n, double[] r) {
        double[] q = new double[n * (n + 1) / 2], y = new double[n], d = new double[n];
        double sum = 0;
        int at = 0;
        for (int a = 0; a < n; a++)
            for (int b = a + 1; b < n; b++) {
                int i = n - 1 - a, j = n - 1 - b;
                double v = r[at++];
                q[j * (j + 1) / 2 + j] += v * v;
                q[i * (i + 1) / 2 + i] += (1 - v) * (1 - v);
                q[i * (i + 1) / 2 + j] = -v * (1 - v);
            }
        for (int i = 0; i < n; i++) {
            int row = i * (i + 1) / 2;
            double least = q[row + i] * 1e-15;
            y[i] = 1;
            for (int j = 0; j < i; j++) {
                double l = q[row + j];
                for (int k = 0; k < j; k++)
                    l -= q[row + k] * (q[j * (j + 1) / 2 + k] * d[k]);
                q[row + j] = l / d[j];
                q[row + i] -= l * q[row + j];
                y[i] -= q[row + j] * y[j];
            }
            d[i] = q[row + i] > least || q[row + i] != q[row + i] ? q[row + i] : least;
            sum += y[i] * y[i] / d[i];
        }
        return y[n - 1] / d[n - 1] / sum;
    }
`
)
