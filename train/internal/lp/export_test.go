package lp

import "context"

// SetMinParallel changes the number of products from which on threads share work, and returns the
// function that changes it back.
func SetMinParallel(n int) (back func()) {
	was := minParallel
	minParallel = n
	return func() { minParallel = was }
}

// SetCandidates changes the number of t from which on candidates are selected, and the share that
// is kept; it returns the function that changes them back.
func SetCandidates(from int, share float64) (back func()) {
	wasFrom, wasShare := minForCandidates, keptShare
	minForCandidates, keptShare = from, share
	return func() { minForCandidates, keptShare = wasFrom, wasShare }
}

// SetPool changes the number of columns that a wide solver begins with, and of those that it adds
// at once; it returns the function that changes them back.
func SetPool(first, added int) (back func()) {
	wasFirst, wasAdded, wasFewest := firstColumns, mostAdded, fewest
	firstColumns, mostAdded, fewest = first, added, added
	return func() { firstColumns, mostAdded, fewest = wasFirst, wasAdded, wasFewest }
}

// Held returns the number of columns of a matrix that are pinned, and the number of their values.
func Held(g *Generated) (columns, numbers int) {
	return len(g.pinned), g.keep - g.room
}

// Careful reports whether a solver has become careful.
func Careful(s *Solver) bool { return s.careful }

// Solve solves a programme once, with the threads of the team that ctx has.
func Solve(ctx context.Context, p *Problem) (*Solution, error) {
	s, err := NewSolver(p)
	if err != nil {
		return nil, err
	}
	return s.Solve(ctx)
}
