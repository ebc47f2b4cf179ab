package rsvm

import (
	"fmt"
	"math"
)

// A Set says how a reduced set is found: Full, Random or Systematic.
type Set interface {
	// Validate returns an error unless the settings make sense.
	Validate() error
	set()
}

// Full takes all rows: SSVM. A machine between two classes has vectors of those.
type Full struct{}

// Random draws rows by chance, from each class its share: RSVM.
type Random struct {
	Vectors int     // size of the reduced set; 0: by Share
	Share   float64 // of the rows; used if Vectors is 0
	// Least is how many vectors there are where Share gives fewer, as far as there are rows.
	Least int
	// MaxVectors bounds what Share and Least give.
	MaxVectors int
	// Even draws equally many rows of each class, as far as it has them, however
	// rare it is.
	Even bool
	// Centres moves the vectors of each class to centres of k-means of its rows, of
	// 64 for each vector at most, drawn by chance. It is not for precomputed
	// kernels, whose vectors have to be rows.
	Centres bool
}

// DefaultRandom is a tenth of the rows, the most that the paper speaks of, up to
// 200. A tenth of fewer than 200 rows are too few vectors to tell much with: there are 20.
func DefaultRandom() Random { return Random{Share: 0.1, Least: 20, MaxVectors: 200} }

// Systematic grows a reduced set from rows that are answered wrongly: algorithm 3.1.
type Systematic struct {
	Initial int // rows drawn by chance at the beginning
	// Parts is k: the wrong rows of a class, in the order of |f|, are cut into so
	// many parts of nearly equal size, each of which gives one row.
	Parts int
	// First takes the row with the least |f| of a part, instead of any.
	First bool
	// Validation is the share of rows that are held out to judge the rounds.
	Validation float64
	// Threshold ends the growth when so large a share of the held out rows is
	// answered rightly (of a regression, when 1 - MSE/variance is as large);
	// 0: no such end.
	Threshold float64
	// Patience is how many rounds without gain end the growth. The round that did
	// best is kept; of equal ones that with the least loss on the rows held out, and of those
	// the first, which is the smallest.
	Patience int
	// Last keeps the last round instead of the best, as the paper does.
	Last bool
	// MaxVectors bounds the reduced set.
	MaxVectors int
}

// DefaultSystematic starts from the paper's five rows. A round adds little, and the share of
// right answers goes up and down with it, on few rows held out by several points: less
// patience ends the growth by chance.
func DefaultSystematic() Systematic {
	return Systematic{Initial: 5, Parts: 5, Validation: 0.1, Patience: 10, MaxVectors: 200}
}

func (Full) set()       {}
func (Random) set()     {}
func (Systematic) set() {}

// Validate implements Set.
func (Full) Validate() error { return nil }

// Validate implements Set.
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

// Validate implements Set.
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

// portion returns how many rows a share of so many is, rounded up, but for what rounding has made of
// a whole number: 0.07 times 100 is a little more than 7.
func portion(share float64, rows int) int {
	n := float64(share * float64(rows))
	if whole := math.Round(n); math.Abs(n-whole) <= 1e-12*whole {
		return int(whole)
	}
	return int(math.Ceil(n))
}

// size returns the number of vectors for so many rows.
func (s Random) size(rows int) int {
	n := s.Vectors
	if n == 0 {
		n = min(max(portion(s.Share, rows), s.Least), s.MaxVectors)
	}
	return min(n, rows)
}
