package format

import (
	"testing"

	"pgregory.net/rapid"
)

// TestLikeNames: the names of columns that are kept by what they have in common find the one that
// Header.ColumnLike finds.
func TestLikeNames(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		letters := []rune("kK\u212asS\u017fßẞéÉiIİıσςΣǅdž \t\u00a0_1\xff")
		name := rapid.Map(rapid.SliceOfN(rapid.SampledFrom(letters), 0, 3), func(text []rune) string { return string(text) })
		var h Header
		for _, n := range rapid.SliceOfN(name, 0, 8).Draw(t, "names") {
			h.Attributes = append(h.Attributes, Attribute{Name: n})
		}
		asked := name.Draw(t, "asked")
		like, ok := h.LikeNames().Only(asked)
		if want, is := h.ColumnLike(asked); like != want || ok != is {
			t.Fatalf("%q: %q, %v, want %q, %v", asked, like, ok, want, is)
		}
	})
}
