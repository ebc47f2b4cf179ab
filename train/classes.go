package train

import (
	"fmt"
	"math"
	"slices"
)

// Classes groups a data set's rows by class. The classes are in LIBSVM's order, that of first
// appearance, except that -1, 1 becomes 1, -1 if these are the only classes.
type Classes struct {
	Labels []int
	Rows   [][]int // the rows of each class, in the data's order
}

// The smallest and the largest class label.
const (
	minLabel = math.MinInt32
	maxLabel = math.MaxInt32
)

// TruncateLabel returns the class that a label stands for: the label truncated to an integer, as in
// LIBSVM. ok is false if it does not fit 32 bits.
func TruncateLabel(y float64) (label int, ok bool) {
	if !(y > minLabel-1 && y < maxLabel+1) {
		return 0, false
	}
	return int(y), true
}

// GroupClasses groups rows by label. A label is truncated to an integer; one that does not fit 32
// bits is a [*RowError]. report receives [LabelsMerged] if labels become equal; it may be nil.
func GroupClasses(y []float64, report Report) (*Classes, error) { return groupClasses(y, report, nil) }

func groupClasses(y []float64, report Report, r *arena) (*Classes, error) {
	c := new(Classes)
	place := make(map[int]int)
	of, counts := numbers(r, narrow, len(y)), []int(nil) // the class of each row; number of rows of each class
	first := []float64{}                                 // the label before truncation that each class came from
	merged := false
	for row, v := range y {
		label, ok := TruncateLabel(v)
		if !ok {
			return nil, &RowError{row, fmt.Errorf("label %v is no 32-bit integer", v)}
		}
		k, ok := place[label]
		if !ok {
			k = len(c.Labels)
			place[label] = k
			c.Labels = append(c.Labels, label)
			counts = append(counts, 0)
			first = append(first, v)
		} else if first[k] != v && !merged {
			merged = true
			report.Send(LabelsMerged{first[k], v})
		}
		of[row] = int32(k)
		counts[k]++
	}
	all := numbers(r, ints, len(y))
	for _, n := range counts {
		c.Rows = append(c.Rows, all[:0:n])
		all = all[n:]
	}
	for row, k := range of {
		c.Rows[k] = append(c.Rows[k], row)
	}
	if len(c.Labels) == 2 && c.Labels[0] == -1 && c.Labels[1] == 1 {
		c.Labels[0], c.Labels[1] = 1, -1
		c.Rows[0], c.Rows[1] = c.Rows[1], c.Rows[0]
	}
	return c, nil
}

// sort sorts the classes by label.
func (c *Classes) sort() {
	rows := make(map[int][]int, len(c.Labels))
	for k, label := range c.Labels {
		rows[label] = c.Rows[k]
	}
	slices.Sort(c.Labels)
	for k, label := range c.Labels {
		c.Rows[k] = rows[label]
	}
}

// Limits for labels that look like numbers rather than classes. More than manyClasses with fewer than
// fewRowsPerClass rows each on average are a warning. They are an error if there are also more than
// tooManyClasses and most labels occur once, or if there would be more than tooManyMachines, which
// take seven gigabytes.
const (
	manyClasses     = 100
	fewRowsPerClass = 10
	tooManyClasses  = 3000
	tooManyMachines = 50_000_000
)

// Check returns an error for labels that look like numbers: more than 3000 classes with fewer than
// two rows each on average, or with fewer than ten if a machine for each pair of them would be more
// than 50 million. It sends [ManyClasses] for more than 100 classes with fewer than ten rows each.
func (c *Classes) Check(report Report) error {
	k := int64(len(c.Labels))
	return c.check(report, k*(k-1)/2)
}

// check is Check for a trainer of the given number of machines, which it tells in the error. The
// limits are the same: machines against the rest have a coefficient for each row while they are
// trained.
func (c *Classes) check(report Report, machines int64) error {
	k, rows := len(c.Labels), 0
	for _, r := range c.Rows {
		rows += len(r)
	}
	if pairs := int64(k) * int64(k-1) / 2; areMany(k, rows) && (k > tooManyClasses && int64(rows) < 2*int64(k) || pairs > tooManyMachines) {
		return fmt.Errorf("%d classes in %d rows would need %d machines; the labels look like numbers, which a regression predicts, or like names of the rows", k, rows, machines)
	}
	report.SendMany(k, rows)
	return nil
}

// areMany reports whether the labels look like numbers rather than classes.
func areMany(classes, rows int) bool {
	return classes > manyClasses && int64(rows) < fewRowsPerClass*int64(classes)
}

// SendMany sends [ManyClasses] if the labels look like numbers: more than 100 classes with fewer
// than ten rows each, on average.
func (r Report) SendMany(classes, rows int) {
	if areMany(classes, rows) {
		r.Send(ManyClasses{classes, rows})
	}
}
