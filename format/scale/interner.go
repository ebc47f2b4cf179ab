package scale

// An Interner finds rows that list the same features, so that they can share a list.
type Interner struct {
	table [1 << 8]uint64 // by a hash: the number of indices, and in the lower half where they begin
	gain  int            // how many more lists were found than not
}

// longShared is how many indices a list has at most that is looked for.
const longShared = 1 << 8

const (
	mostMisses = 1 << 10 // how many more rows than not may have a list of their own until none is looked for
	manyAtOnce = 1 << 9  // how many rows are looked at, at most, before a run is looked for
)

// Reset forgets all lists.
func (s *Interner) Reset() { clear(s.table[:]) }

// Intern makes rows that list the same indices share one list. The rows' indices are in index, one
// row after the other, from at on; starts gives their lengths as Rows.Starts does. Intern moves
// them down to to, leaves out each list that an earlier row has, and sets lists to where each row's
// indices then begin.
//
// It returns how many rows it has done and where index then ends. It stops at a row with a long
// list, or at once if the processor lacks the instructions for it or sharing has not paid off.
func (s *Interner) Intern(index []int32, at, to int, starts, lists []int32) (done, end int) {
	if !hasRows() || len(lists) == 0 || s.gain < -mostMisses {
		return 0, to
	}
	if n := int(starts[len(lists)] - starts[0]); to > at || at+n > len(index) {
		panic("scale: Intern: indices are moved up, or are not all there")
	}
	end = to
	for atOnce := manyRows; done < len(lists); {
		k, next := s.shareRun(index, at, end, starts[done:], lists[done:])
		if k > 0 {
			atOnce = manyRows
		} else {
			rows, hits := min(atOnce, len(lists)-done), 0
			k, next, hits = s.shareRows(index, at, end, starts[done:done+rows+1], lists[done:done+rows])
			s.gain = min(s.gain+2*hits-k, mostMisses)
			if k < rows {
				return done + k, next
			}
			atOnce = min(2*atOnce, manyAtOnce)
		}
		at += int(starts[done+k] - starts[done])
		done, end = done+k, next
	}
	return done, end
}
