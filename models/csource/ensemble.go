package csource

import (
	"strconv"

	"github.com/slimsvm/slimsvm/models"
)

// Problem: compute the answers and probabilities of an ensemble as package predict does.
//
// Method: the C code goes through the members one by one: it computes the values of a member's
// hyperplanes, whether they call the row positive, and what the member then gives its class. If no
// member calls the row positive, the answer is the class with the largest probability or value, or
// the default. What members that do not call the row positive would give is kept on the way, so
// that no hyperplane is computed twice.

// ensembleStack describes what the functions of an ensemble keep on the stack.
func (s *source) ensembleStack() string {
	if len(s.Model.Machines) == 0 {
		return ""
	}
	room := s.name + "_CLASSES numbers of double"
	if planes, _ := s.Largest(); planes > 1 {
		room = s.name + "_MOST integers and " + s.name + "_CLASSES + 2 * " + s.name + "_PLANES\n * + 3 * " + s.name + "_MOST numbers of double"
	}
	return room
}

// planes writes the functions for the hyperplanes' values and for what members say.
func (s *source) planes() {
	if len(s.Model.Machines) == 0 {
		s.decisions()
		return
	}
	s.put(`static double @_plane(const double *x, size_t n, size_t i)
{
	return (double)@_kernel(x, n, i) - @_rho[i];
}

void @_decisions(const double *x, size_t n, double *values)
{
	size_t i;
	for (i = 0; i < @_MACHINES; i++)
		values[i] = @_plane(x, n, i);
}

`)
	s.members()
	planes, _ := s.Largest()
	if planes == 1 {
		s.put(`static int @_calls(const double *x, size_t n, size_t i, double *values)
{
	values[0] = @_plane(x, n, i);
	return values[0] > 0;
}

`)
	} else {
		s.put(`static int @_calls(const double *x, size_t n, size_t i, double *values)
{
	int votes[@_MOST] = {0};
	size_t a, b, q = 0, classes = @_size[i];
	for (a = 0; a < classes; a++)
		for (b = a + 1; b < classes; b++, q++) {
			values[q] = @_plane(x, n, @_begins[i] + q);
			votes[values[q] > 0 ? a : b]++;
		}
	for (a = 1; a < classes; a++)
		if (votes[a] > votes[0])
			return 0;
	return 1;
}

`)
	}
	if s.Model.Probability {
		s.memberProbability()
	}
	if s.Model.Ballot != models.ByProbability && planes > 1 {
		s.memberValue()
	}
}

// members writes the table of the members' classes. If some member has several hyperplanes, it also
// writes their table.
func (s *source) members() {
	m := s.Model
	s.table("static const "+smallest(int64(len(m.Labels)))+" @_class[@_MEMBERS]", func(add func(string)) {
		for i := range m.CountMembers() {
			span, _ := m.Member(i)
			add(strconv.Itoa(m.Machines[span.From].Pos))
		}
	})
	planes, most := s.Largest()
	if planes == 1 {
		return
	}
	s.table("static const unsigned @_begins[@_MEMBERS]", func(add func(string)) {
		for i := range m.CountMembers() {
			span, _ := m.Member(i)
			add(strconv.Itoa(span.From))
		}
	})
	s.table("static const "+smallest(int64(most))+" @_size[@_MEMBERS]", func(add func(string)) {
		for i := range m.CountMembers() {
			_, k := m.Member(i)
			add(strconv.Itoa(k))
		}
	})
}

// memberValue writes the function for a member's value: the smallest value against other classes.
func (s *source) memberValue() {
	s.put(`static double @_value(const double *values, size_t i)
{
	double least = values[0];
	size_t q;
	for (q = 1; q + 1 < @_size[i]; q++)
		if (values[q] < least || isnan(values[q]))
			least = values[q];
	return least;
}

`)
}

// elect writes the function body that computes the answer from the members.
func (s *source) elect() {
	value := "values[0]"
	if planes, _ := s.Largest(); planes > 1 {
		value = "@_value(values, i)"
	}
	given, other, least := "f = 1;", value, "-INFINITY"
	switch s.Model.Ballot {
	case models.ByProbability:
		given, other, least = "f = @_probability(values, i);", "@_probability(values, i)", "0"
	case models.ByDecision:
		given = "f = " + value + ";\n\t\t\tif (f < 0)\n\t\t\t\tf = 0;"
	}
	s.put(`	double given[@_CLASSES], values[@_PLANES], best = ` + least + `, f;
	size_t i, c, answer = ` + strconv.Itoa(s.Model.Default) + `;
	int spoken = 0;
	for (c = 0; c < @_CLASSES; c++)
		given[c] = -1; /* less than any member gives */
	for (i = 0; i < @_MEMBERS; i++) {
		c = @_class[i];
		if (@_calls(x, n, i, values)) {
			` + given + `
			given[c] = (given[c] < 0 ? 0 : given[c]) + f;
			spoken = 1;
		} else if (!spoken) {
			f = ` + other + `;
			if (f > best) {
				best = f;
				answer = c;
			}
		}
	}
	return @_classes[spoken ? @_largest(given) : answer];
}
`)
}

// shares writes the function body that computes the probabilities of an ensemble.
func (s *source) shares() {
	s.put(`	double values[@_PLANES], f, sum = 0;
	size_t i, c, answer = %d;
	int spoken = 0;
	for (c = 0; c < @_CLASSES; c++)
		p[c] = 0;
	for (i = 0; i < @_MEMBERS; i++) {
		int called = @_calls(x, n, i, values);
		if (spoken && !called)
			continue;
		f = @_probability(values, i);
		if (called && !spoken)
			for (c = 0; c < @_CLASSES; c++)
				p[c] = 0;
		c = @_class[i];
		if (!called)
			p[c] = p[c] > f || isnan(p[c]) ? p[c] : f;
		else {
			if (!spoken || c < answer)
				answer = c;
			spoken = 1;
			p[c] += f;
		}
	}
	for (c = 0; c < @_CLASSES; c++)
		sum += p[c];
	if (sum == 0)
		p[answer] = 1;
	for (sum = 0, c = 0; c < @_CLASSES; c++)
		sum += p[c] += 0.1 / @_CLASSES;
	for (c = 0; c < @_CLASSES; c++)
		p[c] /= sum;
	return @_classes[@_largest(p)];
}
`, s.Model.Default)
}
