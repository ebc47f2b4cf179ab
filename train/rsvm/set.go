package rsvm

import (
	"fmt"
	"math"
)

// A Set says how a reduced set is found: [Full], [Random] or [Systematic].
type Set interface {
	// Validate returns an error that says which setting is not valid.
	Validate() error
	set()
}

// Full takes all rows as the reduced set, of equal ones the first: SSVM. A machine between two of
// several classes has the vectors of those classes; only vectors of different classes may be equal
// then.
type Full struct{}

// Random draws rows at random, from each class in proportion to its size: RSVM. Of equal rows that
// are drawn it takes the first, so that the reduced set may be smaller.
type Random struct {
	Vectors int     // size of the reduced set; 0: set by Share
	Share   float64 // share of the rows, used if Vectors is 0
	Least   int     // least number of vectors, as far as there are rows, if Share gives fewer
	// MaxVectors limits what Share and Least give.
	MaxVectors int
	// Even draws equally many rows of each class, as far as it has enough, however rare the class
	// is.
	Even bool
	// Centres replaces the vectors of each class by k-means centres of its rows (of at most 64
	// random rows for each vector). It cannot be used with a precomputed kernel, whose vectors must
	// be rows.
	Centres bool
}

// DefaultRandom is a tenth of the rows, the largest share that the paper mentions, and at most 200
// vectors. With fewer than 200 rows it is 20 vectors, because a tenth of them would be too few.
func DefaultRandom() Random { return Random{Share: 0.1, Least: 20, MaxVectors: 200} }

// Systematic grows a reduced set from rows that are answered wrongly: algorithm 3.1 of Chang and
// Lee (SSRSVM).
type Systematic struct {
	Initial int // random rows at the beginning
	// Parts is k: the wrongly answered rows of a class, ordered by |f|, are cut into k parts of
	// nearly equal size, each of which gives one row.
	Parts int
	// First takes the row of a part with the smallest |f| instead of a random one.
	First bool
	// Validation is the share of rows that are held out to judge the rounds.
	Validation float64
	// Threshold ends the growth when this share of the held-out rows is answered rightly (for a
	// regression, when 1 - MSE/variance reaches it); 0: no such end.
	Threshold float64
	// Patience is how many rounds without gain end the growth. The best round is kept; of equally
	// good ones, the one with the least loss on the held-out rows, and then the first, which is the
	// smallest.
	Patience int
	// Last keeps the last round instead of the best, as the paper does.
	Last bool
	// MaxVectors limits the reduced set.
	MaxVectors int
}

// DefaultSystematic starts from the paper's five rows. Each round adds little, and on few held-out
// rows the share of right answers varies by several points from round to round; with less patience,
// chance would end the growth.
func DefaultSystematic() Systematic {
	return Systematic{Initial: 5, Parts: 5, Validation: 0.1, Patience: 10, MaxVectors: 200}
}

func (Full) set()       {}
func (Random) set()     {}
func (Systematic) set() {}

// Validate implements [Set].
func (Full) Validate() error { return nil }

// Validate implements [Set].
func (s Random) Validate() error {
	switch {
	case s.Vectors < 0:
		return fmt.Errorf("%d vectors", s.Vectors)
	case s.Vectors == 0 && !(s.Share > 0 && s.Share <= 1):
		return fmt.Errorf("share %v of the rows is not between 0 and 1", s.Share)
	case s.Vectors == 0 && s.Least < 0:
		return fmt.Errorf("at least %d vectors", s.Least)
	case s.Vectors == 0 && s.MaxVectors < 1:
		return fmt.Errorf("at most %d vectors, expected 1 at least", s.MaxVectors)
	}
	return nil
}

// Validate implements [Set].
func (s Systematic) Validate() error {
	switch {
	case s.Initial < 1:
		return fmt.Errorf("%d rows at the beginning, expected 1 at least", s.Initial)
	case s.Parts < 1:
		return fmt.Errorf("%d parts, expected 1 at least", s.Parts)
	case !(s.Validation > 0 && s.Validation < 1):
		return fmt.Errorf("share %v of held out rows is not between 0 and 1", s.Validation)
	case !(s.Threshold >= 0 && s.Threshold <= 1):
		return fmt.Errorf("threshold %v is not between 0 and 1", s.Threshold)
	case s.Patience < 1:
		return fmt.Errorf("patience of %d rounds, expected 1 at least", s.Patience)
	case s.MaxVectors < s.Initial:
		return fmt.Errorf("at most %d vectors, fewer than the %d at the beginning", s.MaxVectors, s.Initial)
	}
	return nil
}

// portion returns the number of rows in a share of all, rounded up, except that rounding errors do
// not count: 0.07 times 100 is a little more than 7 in float64.
func portion(share float64, rows int) int {
	n := float64(share * float64(rows))
	if whole := math.Round(n); math.Abs(n-whole) <= 1e-12*whole {
		return int(whole)
	}
	return int(math.Ceil(n))
}

// size returns the number of vectors, given the number of rows.
func (s Random) size(rows int) int {
	n := s.Vectors
	if n == 0 {
		n = min(max(portion(s.Share, rows), s.Least), s.MaxVectors)
	}
	return min(n, rows)
}
