package csource

// Problem: compute the probability that a member of an ensemble gives its own class from the values
// of its hyperplanes.
//
// Method: for one hyperplane it is the sigmoid; for three or four classes, package predict's closed
// forms; for more classes, the solution of the coupling's equations.

// memberProbability writes the function that computes this probability. The function may change the
// values.
func (s *source) memberProbability() {
	planes, most := s.Largest()
	if planes == 1 {
		s.put("static double @_probability(const double *values, size_t i)\n{\n\treturn @_logistic(values[0], i);\n}\n\n")
		return
	}
	sizes := s.MemberSizes()
	ways := [...]struct {
		write func()
		call  string
	}{
		2: {nil, "values[0]"},
		3: {s.three, "@_three(values)"},
		4: {s.four, "@_four(values)"},
		5: {s.many, "@_many(classes, values)"},
	}
	for k := 3; k <= 5; k++ {
		if sizes[k] {
			ways[k].write()
		}
	}
	s.put(`static double @_probability(double *values, size_t i)
{
	size_t q, classes = @_size[i], first = @_begins[i];
	for (q = 0; q < classes * (classes - 1) / 2; q++) {
		double r = @_logistic(values[q], first + q);
		values[q] = classes == 2 || isnan(r) ? r : @_apart(r);
	}
`)
	for k := 2; k < min(most, 5); k++ {
		if sizes[k] {
			s.put("\tif (classes == %d)\n\t\treturn "+ways[k].call+";\n", k)
		}
	}
	s.put("\treturn " + ways[min(most, 5)].call + ";\n}\n\n")
}

// three writes the function for the first of three classes. It uses cofactors of the matrix of the
// coupling, whose terms are all positive.
func (s *source) three() {
	s.put(`static double @_three(const double *r)
{
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

`)
}

// four writes the function for the first of four classes. It eliminates the other classes from the
// last one on.
func (s *source) four() {
	s.put(`static double @_least(double pivot, double least)
{
	return pivot > least || isnan(pivot) ? pivot : least;
}

static double @_four(const double *r)
{
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
	double d0 = q0 - o03 * l0, d1 = q1 - o13 * l1, d2 = @_least(q2 - o23 * l2, q2 * 1e-15);
	double y0 = 1 + l0, y1 = 1 + l1, y2 = 1 + l2;
	o01 = o01 + o13 * l0;
	o02 = o02 + o23 * l0;
	o12 = o12 + o23 * l1;

	f = 1 / d2;
	l0 = o02 * f;
	l1 = o12 * f;
	d0 = d0 - o02 * l0;
	d1 = @_least(d1 - o12 * l1, q1 * 1e-15);
	o01 += o12 * l0;
	y0 = y0 + l0 * y2;
	y1 = y1 + l1 * y2;
	sum += y2 * y2 * f;

	f = 1 / d1;
	l0 = o01 * f;
	d0 = @_least(d0 - o01 * l0, q0 * 1e-15);
	y0 += l0 * y1;
	sum += y1 * y1 * f;
	return y0 / (y0 * y0 + sum * d0);
}

`)
}

// many writes the function for the first of n classes. It computes the triangular factors of the
// matrix in which that class is last. Rows are stored up to the diagonal.
func (s *source) many() {
	s.put(`static double @_many(size_t n, const double *r)
{
	double q[@_MOST * (@_MOST + 1) / 2] = {0}, y[@_MOST], d[@_MOST], sum = 0;
	size_t a, b, i, j, k;
	for (a = 0; a < n; a++)
		for (b = a + 1; b < n; b++, r++) {
			i = n - 1 - a;
			j = n - 1 - b;
			q[j * (j + 1) / 2 + j] += *r * *r;
			q[i * (i + 1) / 2 + i] += (1 - *r) * (1 - *r);
			q[i * (i + 1) / 2 + j] = -*r * (1 - *r);
		}
	for (i = 0; i < n; i++) {
		double *row = q + i * (i + 1) / 2, least = row[i] * 1e-15;
		y[i] = 1;
		for (j = 0; j < i; j++) {
			double l = row[j];
			for (k = 0; k < j; k++)
				l -= row[k] * (q[j * (j + 1) / 2 + k] * d[k]);
			row[j] = l / d[j];
			row[i] -= l * row[j];
			y[i] -= row[j] * y[j];
		}
		d[i] = row[i] > least || isnan(row[i]) ? row[i] : least;
		sum += y[i] * y[i] / d[i];
	}
	return y[n - 1] / d[n - 1] / sum;
}

`)
}
