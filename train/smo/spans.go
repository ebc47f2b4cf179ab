package smo

// Problem: which positions each thread goes through in a pass. What a thread has in its cache of the
// gradient and of kernel rows should serve the next pass: between processors without a common
// cache, fetching half a row takes as long as going through it.
//
// Method: a pass over so many positions is always cut at the same ones. In a regression each row has
// two variables. Their positions are in two halves, which are cut alike.

// Parts of variables and columns begin at multiples of splitColumns.
const splitColumns = 64

// edge returns where part k begins when positions from to to-1 are cut into parts.
func edge(from, to, k, parts int) int {
	switch k {
	case 0:
		return from
	case parts:
		return to
	}
	first := min(ownerExtra, (to-from)/4)
	return from + (first+(to-from-first)*k/parts)/splitColumns*splitColumns
}

// A span is the positions from begin to end-1.
type span struct{ begin, end int }

// spans returns the positions of part k. If each row has two variables, as in a regression, whose
// second ones are from position half on, as far as they are active, a part has those of the same
// rows. So a thread mostly reads what it computed of a row itself; shrinking moves some variables to
// other positions.
func spans(n, half, k, parts int) [2]span {
	if n < half+splitColumns || half == 0 {
		return [2]span{{edge(0, n, k, parts), edge(0, n, k+1, parts)}}
	}
	from, to := rowEdge(n, half, k, parts), rowEdge(n, half, k+1, parts)
	second := span{min(half+from, n), min(half+to, n)}
	if k+1 == parts {
		second.end = n
	}
	return [2]span{{from, to}, second}
}

// rowEdge returns the first row of part k, of the rows up to half that are cut so that the parts have
// as many positions as edge gives them. The first n-half rows have two positions each.
func rowEdge(n, half, k, parts int) int {
	if k == parts {
		return half
	}
	at, second := edge(0, n, k, parts), n-half
	return min(max(at/2, at-second), half) / splitColumns * splitColumns
}

// ownerExtra is how many variables the owner's part has more than the other parts. Going through
// them takes about as long as it takes the other threads to learn of their parts, and the owner to
// learn that they have finished.
const ownerExtra = usualPart / 4
