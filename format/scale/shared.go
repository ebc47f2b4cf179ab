package scale

// Shared finds rows that list the same features, so that they share a list.
type Shared struct {
	table [1 << 8]uint64 // by a hash: the number of indices, and in the lower half where they begin
	gain  int            // how many more lists were found than not
}

// longShared is how many indices a list has at most that is looked for.
const longShared = 1 << 8

// Reset forgets all lists.
func (s *Shared) Reset() { clear(s.table[:]) }

// Share sets lists to where the indices of as many rows begin, and returns where index ends then. The
// rows' indices stand in index behind each other from at on. They are moved down, row by row, to
// where index ends, to on, but for those that a row before has too, which share its list.
// Starts say how many they are, as Rows.Starts does. It stops at a row whose list is long, or
// at once if there are not the instructions for it or sharing has not been worth it, and returns how
// many rows it has done.
func (s *Shared) Share(index []int32, at, to int, starts, lists []int32) (done, end int) {
	if !hasRows() || len(lists) == 0 || s.gain < -mostMisses {
		return 0, to
	}
	if done, end = s.shareRun(index, at, to, starts, lists); done > 0 {
		return done, end
	}
	n := int(starts[len(lists)] - starts[0])
	if _ = index[to : at+n]; to > at {
		panic("scale: Share: indices are moved up")
	}
	done, end, hits := s.shareRows(index, at, to, starts, lists)
	s.gain = min(s.gain+2*hits-done, mostMisses)
	return done, end
}
