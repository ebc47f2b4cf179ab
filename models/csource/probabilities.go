package csource

import (
	"github.com/slimsvm/slimsvm/models"
)

// Problem: compute the probabilities of package predict, with the same operations in the same
// order, in double whatever the type of the vectors:
//
//   - two classes: the machine's sigmoid
//   - more classes: the sigmoids of the pairs, coupled
//   - one machine for each class: the sigmoids' shares of their sum
//   - an ensemble (ensemble.go): the classes' shares of what its members give
//   - a one-class model: a table of levels

// probabilities writes the code for the probabilities that the model has.
func (s *source) probabilities() {
	m := s.Model
	switch {
	case !m.Probability:
		return
	case m.Task.Regresses():
		s.put("\nconst double @_sigma = %s;\n", real(s.Noise()))
		return
	}
	s.put("\n")
	switch {
	case m.Task == models.OneClass:
		s.levels()
		return
	case s.Coupled():
		s.coupling()
	}
	s.put("int @_probabilities(const double *x, size_t n, double *p)\n{\n")
	switch {
	case len(m.Labels) == 1:
		s.put("\t(void)x, (void)n;\n\tp[0] = 1;\n\treturn @_classes[0];\n}\n")
	case s.Ensemble() && len(m.Machines) == 0:
		s.put("\tsize_t c;\n\t(void)x, (void)n;\n\tfor (c = 0; c < @_CLASSES; c++)\n\t\tp[c] = c == %d;\n\treturn @_classes[%d];\n}\n", m.Default, m.Default)
	case s.Ensemble():
		s.shares()
	case m.Vote == models.OneVsRest:
		s.rest()
	case len(m.Labels) == 2:
		s.put(`	double values[1];
	@_decisions(x, n, values);
	p[0] = @_apart(@_logistic(values[0], 0));
	p[1] = 1 - p[0];
	return @_classes[@_largest(p)];
}
`)
	default:
		s.pairs()
	}
}

// levels writes the probabilities of a one-class model.
func (s *source) levels() {
	s.table("static const double @_marks[]", func(add func(string)) {
		for _, v := range s.Model.DensityMarks {
			add(real(v))
		}
	})
	s.put(`int @_probabilities(const double *x, size_t n, double *p)
{
	double values[1];
	int i = 1;
	@_decisions(x, n, values);
	if (values[0] < @_marks[0])
		p[0] = 0.001;
	else if (values[0] >= @_marks[%d])
		p[0] = 0.999;
	else {
		while (values[0] >= @_marks[i])
			i++;
		p[0] = i / 10.0;
	}
	p[1] = 1 - p[0];
	return values[0] > 0 ? 1 : -1;
}
`, len(s.Model.DensityMarks)-1)
}

// helpers writes functions that answers and probabilities use.
func (s *source) helpers() {
	ensemble := s.Ensemble()
	if ensemble && len(s.Model.Machines) == 0 {
		return
	}
	if s.ClassProbabilities() {
		s.sigmoids()
		if planes, _ := s.Largest(); !ensemble || planes > 1 {
			s.put(`static double @_apart(double r)
{
	return r > %s ? %s : r > 1e-7 ? r : 1e-7;
}

`, real(1-1e-7), real(1-1e-7))
		}
	}
	if s.ClassProbabilities() || ensemble {
		s.put(`static size_t @_largest(const double *of)
{
	size_t c, best = 0;
	for (c = 1; c < @_CLASSES; c++)
		if (of[c] > of[best])
			best = c;
	return best;
}

`)
	}
}

// sigmoids writes the table of the machines' sigmoids and the function that evaluates one.
func (s *source) sigmoids() {
	s.table("static const double @_sigmoid[@_MACHINES][2]", func(add func(string)) {
		for i := range s.Model.Machines {
			of := s.Model.Machines[i].Sigmoid
			add("{" + real(of.A) + ", " + real(of.B) + "}")
		}
	})
	s.put(`static double @_logistic(double value, size_t i)
{
	double z = value * @_sigmoid[i][0] + @_sigmoid[i][1], e;
` + volatile("double", "z >= 0 ? -z : z") + `	e = exp(seen);
	return z >= 0 ? e / (1 + e) : 1 / (1 + e);
}

`)
}

// rest writes the function body for probabilities with one machine for each class.
func (s *source) rest() {
	b := s.bank("i")
	s.put(b.declare + "\tsize_t i;\n\tdouble sum = 0;\n" + b.prepare + `	for (i = 0; i < @_CLASSES; i++) {
		p[i] = @_apart(@_logistic(` + b.value + `, i));
		sum += p[i];
	}
	for (i = 0; i < @_CLASSES; i++)
		p[i] /= sum;
	return @_classes[@_largest(p)];
}
`)
}

// coupling writes the function that sets p to the probabilities of three or more classes. The
// symmetric matrix q is stored as rows up to the diagonal.
func (s *source) coupling() {
	s.put(`static size_t @_at(size_t i, size_t j)
{
	return i > j ? i * (i + 1) / 2 + j : j * (j + 1) / 2 + i;
}

static void @_couple(const double *q, double *p)
{
	double qp[@_CLASSES], pqp, worst, step, sum;
	size_t i, j;
	int round;
	for (i = 0; i < @_CLASSES; i++)
		p[i] = 1.0 / (double)@_CLASSES;
	for (round = 0; round < %d; round++) {
		pqp = worst = 0;
		for (i = 0; i < @_CLASSES; i++) {
			sum = 0;
			for (j = 0; j < @_CLASSES; j++)
				sum += q[@_at(i, j)] * p[j];
			qp[i] = sum;
			pqp += p[i] * sum;
		}
		for (i = 0; i < @_CLASSES; i++)
			if (fabs(qp[i] - pqp) > worst)
				worst = fabs(qp[i] - pqp);
		if (worst < 0.005 / (double)@_CLASSES)
			return;
		for (i = 0; i < @_CLASSES; i++) {
			step = (pqp - qp[i]) / q[@_at(i, i)];
			sum = 1 + step;
			p[i] += step;
			pqp = (pqp + step * (step * q[@_at(i, i)] + 2 * qp[i])) / sum / sum;
			for (j = 0; j < @_CLASSES; j++) {
				qp[j] = (qp[j] + step * q[@_at(i, j)]) / sum;
				p[j] /= sum;
			}
		}
	}
}

`, max(100, len(s.Model.Labels)))
}

// pairs writes the function body for probabilities of three or more classes.
func (s *source) pairs() {
	b := s.bank("pair")
	s.put(b.declare + `	double q[@_CLASSES * (@_CLASSES + 1) / 2] = {0};
	size_t i, j, pair = 0;
` + b.prepare + `	for (i = 0; i < @_CLASSES; i++)
		for (j = i + 1; j < @_CLASSES; j++, pair++) {
			double first = @_apart(@_logistic(` + b.value + `, pair)), second = 1 - first;
			q[@_at(i, i)] += second * second;
			q[@_at(j, j)] += first * first;
			q[@_at(i, j)] = -first * second;
		}
	@_couple(q, p);
	return @_classes[@_largest(p)];
}
`)
}
