package csource

import (
	"fmt"

	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// kernel writes the function that computes the kernel value of a row and a vector.
func (s *source) kernel() {
	if s.Terms == 0 {
		return
	}
	s.put("static SLIMSVM_REAL @_kernel(const double *x, size_t n, size_t v)\n{\n")
	if s.Precomputed() {
		s.put("\treturn @_rows[v] <= n ? (SLIMSVM_REAL)x[@_rows[v] - 1] : 0;\n}\n\n")
		return
	}
	if k, ok := s.Model.Kernel.(kernel.RBF); ok {
		s.distance()
		s.put("\tsum = (SLIMSVM_REAL)%s * sum;\n"+ofSum("exp")+"}\n\n", real(-k.Gamma))
		return
	}
	s.dot()
	switch k := s.Model.Kernel.(type) {
	case kernel.Linear:
		s.put("\treturn sum;\n}\n\n")
	case kernel.Sigmoid:
		s.put("\tsum = (SLIMSVM_REAL)%s * sum;\n\tsum = sum + (SLIMSVM_REAL)%s;\n"+ofSum("tanh")+"}\n\n", real(k.Gamma), real(k.Coef0))
	case kernel.Poly:
		s.put(`	SLIMSVM_REAL power = 1;
	int degree;
	sum = (SLIMSVM_REAL)%s * sum;
	sum = sum + (SLIMSVM_REAL)%s;
	for (degree = %d; degree > 0; degree /= 2) {
		if (degree %% 2 == 1)
			power *= sum;
		sum *= sum;
	}
	return power;
}

`, real(k.Gamma), real(k.Coef0), k.Degree)
	default:
		panic(fmt.Sprintf("csource: kernel %T", k))
	}
}

// ofSum returns C code that returns a function of the C library for sum. It calls the function for
// float if the arithmetic is in float: small processors support only float, and need many
// instructions for double.
func ofSum(function string) string {
	return volatile("SLIMSVM_REAL", "sum") + "\treturn sizeof seen == sizeof(float) ? (SLIMSVM_REAL)" + function + "f((float)seen) : (SLIMSVM_REAL)" + function + "((double)seen);\n"
}

// volatile returns the declaration of a volatile variable for the argument of a C library function.
// If a compiler can tell the argument, for instance for a row without features, it would otherwise
// insert the correctly rounded result, which often differs from the library's.
func volatile(ctype, argument string) string {
	return "\tvolatile " + ctype + " seen = " + argument + "; /* so that the C library computes, not the compiler */\n"
}

// distance writes code that sets sum to the squared distance. Features that only the row has count,
// too.
func (s *source) distance() {
	if s.Dense {
		s.put(`	const SLIMSVM_REAL *z = @_vectors[v];
	SLIMSVM_REAL sum = 0;
	size_t j;
	for (j = 0; j < %d; j++) {
		SLIMSVM_REAL d = (j < n ? (SLIMSVM_REAL)x[j] : 0) - z[j];
		sum += d * d;
	}
	for (; j < n; j++)
		sum += (SLIMSVM_REAL)x[j] * (SLIMSVM_REAL)x[j];
`, s.Width)
		return
	}
	s.put(`	SLIMSVM_REAL sum = 0;
	size_t j, p = @_begin[v];
	for (j = 0; j < n; j++) {
		SLIMSVM_REAL d = (SLIMSVM_REAL)x[j];
		if (p < @_begin[v + 1] && @_index[p] == j)
			d -= @_entry[p++];
		sum += d * d;
	}
	for (; p < @_begin[v + 1]; p++)
		sum += @_entry[p] * @_entry[p];
`)
}

// dot writes code that sets sum to the dot product.
func (s *source) dot() {
	if s.Dense {
		s.put(`	const SLIMSVM_REAL *z = @_vectors[v];
	SLIMSVM_REAL sum = 0;
	size_t j;
	for (j = 0; j < %d && j < n; j++)
		sum += (SLIMSVM_REAL)x[j] * z[j];
`, s.Width)
		return
	}
	s.put(`	SLIMSVM_REAL sum = 0;
	size_t p;
	for (p = @_begin[v]; p < @_begin[v + 1] && @_index[p] < n; p++)
		sum += (SLIMSVM_REAL)x[@_index[p]] * @_entry[p];
`)
}

// decisions writes the function that computes the machines' values. If there are several machines,
// they share the kernel values.
func (s *source) decisions() {
	const declaration = "void @_decisions(const double *x, size_t n, double *values)\n{\n"
	switch {
	case len(s.Model.Machines) == 0:
		s.put(declaration + "\t(void)x, (void)n, (void)values;\n")
	case s.Terms == 0:
		s.put(declaration + "\tsize_t i;\n\t(void)x, (void)n;\n\tfor (i = 0; i < @_MACHINES; i++)\n\t\tvalues[i] = 0 - @_rho[i];\n")
	case len(s.Model.Machines) == 1:
		s.put(declaration + `	SLIMSVM_REAL sum = 0;
	size_t t;
	for (t = @_first[0]; t < @_first[1]; t++)
		sum += @_coef[t] * @_kernel(x, n, @_vector[t]);
	values[0] = (double)sum - @_rho[0];
`)
	default:
		s.put(`static void @_kernels(const double *x, size_t n, SLIMSVM_REAL *k)
{
	size_t v;
	for (v = 0; v < @_VECTORS; v++)
		k[v] = @_kernel(x, n, v);
}

static double @_machine(const SLIMSVM_REAL *k, size_t i)
{
	SLIMSVM_REAL sum = 0;
	size_t t;
	for (t = @_first[i]; t < @_first[i + 1]; t++)
		sum += @_coef[t] * k[@_vector[t]];
	return (double)sum - @_rho[i];
}

` + declaration + `	SLIMSVM_REAL k[@_VECTORS];
	size_t i;
	@_kernels(x, n, k);
	for (i = 0; i < @_MACHINES; i++)
		values[i] = @_machine(k, i);
`)
	}
	s.put("}\n\n")
}

// answer writes the function that returns the answer.
func (s *source) answer() {
	ctype, _ := s.answers()
	s.put("%s @_predict(const double *x, size_t n)\n{\n", ctype)
	switch {
	case len(s.Model.Machines) == 0: // a single class, or an ensemble without members
		s.put("\t(void)x, (void)n;\n\treturn @_classes[%d];\n}\n", s.Model.Default)
	case s.Ensemble():
		s.elect()
	case s.Model.Task.Classifies() && len(s.Model.Machines) > 1:
		s.class()
	default:
		s.single()
	}
}

// single writes the function body for one machine.
func (s *source) single() {
	s.put("\tdouble values[1];\n\t@_decisions(x, n, values);\n")
	switch {
	case s.Model.Task.Regresses():
		if s.Inputs != nil && s.Inputs.ClassColumn().Scales != nil {
			scale := s.Inputs.ClassColumn().Scales[0]
			s.put("\tvalues[0] = values[0] * %s;\n\treturn values[0] + %s;\n}\n", real(scale.Width), real(scale.Shift))
			return
		}
		s.put("\treturn values[0];\n}\n")
	case s.Model.Task == models.OneClass:
		s.put("\treturn values[0] > 0 ? 1 : -1;\n}\n")
	case s.Model.Vote == models.OneVsRest:
		s.put("\treturn @_classes[0];\n}\n")
	default:
		s.put("\treturn @_classes[values[0] > 0 ? 0 : 1];\n}\n")
	}
}

// A bank describes how a function gets the values of several machines one by one, so that it need
// not store them on the stack: declarations, statements before the first value, and an expression
// for each value.
type bank struct{ declare, prepare, value string }

// bank returns the bank of the machine whose number is given by an expression.
func (s *source) bank(machine string) bank {
	if s.Terms == 0 {
		return bank{"", "\t(void)x, (void)n;\n", "0 - @_rho[" + machine + "]"}
	}
	return bank{"\tSLIMSVM_REAL k[@_VECTORS];\n", "\t@_kernels(x, n, k);\n", "@_machine(k, " + machine + ")"}
}

// class writes the function body for several machines.
func (s *source) class() {
	if s.Model.Vote == models.OneVsRest {
		b := s.bank("i")
		s.put(b.declare + "\tsize_t i, best = 0;\n\tdouble most = 0;\n" + b.prepare + `	for (i = 0; i < @_MACHINES; i++) {
		double value = ` + b.value + `;
		if (i == 0 || value > most) {
			best = i;
			most = value;
		}
	}
	return @_classes[best];
}
`)
		return
	}
	b := s.bank("pair")
	s.put(b.declare + "\tint votes[@_CLASSES] = {0};\n\tsize_t i, j, pair = 0, best = 0;\n" + b.prepare + `	for (i = 0; i < @_CLASSES; i++)
		for (j = i + 1; j < @_CLASSES; j++, pair++)
			votes[` + b.value + ` > 0 ? i : j]++;
	for (i = 1; i < @_CLASSES; i++)
		if (votes[i] > votes[best])
			best = i;
	return @_classes[best];
}
`)
}
