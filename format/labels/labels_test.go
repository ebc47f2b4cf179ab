package labels

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"pgregory.net/rapid"
)

// A Set does what a list with a linear search does, whichever texts share a place.
func TestSet(t *testing.T) {
	text := rapid.OneOf(
		rapid.StringMatching(`[ab]{0,5}`),
		rapid.StringMatching(`[ab]{6,9}`),
		rapid.StringMatching(`12345678[a-d]{0,4}87654321`), // one key where the lengths agree
		rapid.String(),
	)
	rapid.Check(t, func(t *rapid.T) {
		var s Set
		var want []string
		for _, b := range rapid.SliceOfN(text, 0, 60).Draw(t, "texts") {
			k := slices.Index(want, b)
			if i, ok := s.Find([]byte(b)); ok != (k >= 0) || ok && i != k {
				t.Fatalf("Find(%q) = %d, %v; want %d", b, i, ok, k)
			}
			if rapid.Bool().Draw(t, "add") {
				i, added := s.Add([]byte(b))
				if k < 0 {
					want = append(want, b)
				}
				if added != (k < 0) || want[i] != b {
					t.Fatalf("Add(%q) = %d, %v in %q", b, i, added, want)
				}
			}
			if s.Len() != len(want) || !slices.Equal(s.Texts(), want) {
				t.Fatalf("%q, want %q", s.Texts(), want)
			}
		}
	})
}

// More texts than places, and texts that the caller changes afterwards.
func TestManyTexts(t *testing.T) {
	var s Set
	const n = 5 * mostPlaces
	name := func(i int) string { return strings.Repeat("same ", i%3) + fmt.Sprint(i) }
	buf := make([]byte, 0, 64)
	for i := range n {
		buf = append(buf[:0], name(i)...)
		if k, added := s.Add(buf); k != i || !added {
			t.Fatalf("text %d was added as %d, %v", i, k, added)
		}
	}
	for round := range 2 {
		for i := range n {
			if k, ok := s.Find([]byte(name(i))); k != i || !ok {
				t.Fatalf("round %d: text %d is found as %d, %v", round, i, k, ok)
			}
		}
	}
	if _, ok := s.Find([]byte("another")); ok {
		t.Error("a text that was not added is found")
	}
	if len(s.recent) != mostPlaces {
		t.Errorf("%d places", len(s.recent))
	}
}

func TestFindDoesNotAllocate(t *testing.T) {
	var s Set
	for i := range 100 {
		s.Add(fmt.Appendf(nil, "label %d", i))
	}
	b := []byte("label 57")
	if n := testing.AllocsPerRun(100, func() { s.Find(b); s.Add(b) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestFinder finds the same in several goroutines at a time: under the race detector, this is a
// test of what they share.
func TestFinder(t *testing.T) {
	var s Set
	for i := range 1000 {
		s.Add(fmt.Appendf(nil, "label %d", i))
	}
	done := make(chan error)
	for range 4 {
		f := s.Finder()
		go func() {
			for i := range 2000 {
				k, ok := f.Find(fmt.Appendf(nil, "label %d", i%1500))
				if want := i%1500 < 1000; ok != want || ok && k != i%1500 {
					done <- fmt.Errorf("label %d: %d, %v", i%1500, k, ok)
					return
				}
			}
			done <- nil
		}()
	}
	for range 4 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if size := int(unsafe.Sizeof(s.recent[0])); size != knownBytes || s.FinderBytes() != len(s.recent)*size {
		t.Errorf("a finder has %d elements of %d bytes, which makes not %d", len(s.recent), size, s.FinderBytes())
	}
	var none Set
	if f := none.Finder(); f.Len() != 0 {
		t.Error("a finder of no texts has some")
	} else if _, ok := f.Find([]byte("a")); ok {
		t.Error("a finder of no texts finds one")
	}
}

// TestList has labels that fit into a message, and more of them.
func TestList(t *testing.T) {
	many := slices.Repeat([]string{"0123456789"}, 12)
	eight := strings.TrimSuffix(strings.Repeat("<0123456789>, ", 8), ", ")
	for _, c := range []struct {
		labels []string
		want   string
	}{
		{nil, ""},
		{[]string{"a"}, "<a>"},
		{[]string{"a", "", "b"}, "<a>, <>, <b>"},
		{many[:8], eight},
		{many[:9], eight + " or 1 others"},
		{many, eight + " or 4 others"},
		{[]string{strings.Repeat("x", 500), "y"}, "<" + strings.Repeat("x", 500) + "> or 1 others"},
	} {
		if got := List(c.labels, func(label string) string { return "<" + label + ">" }); got != c.want {
			t.Errorf("%q: %q, expected %q", c.labels, got, c.want)
		}
	}
}
