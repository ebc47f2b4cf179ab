package csvfmt_test

import (
	"testing"

	"github.com/slimsvm/slimsvm/format/csvfmt"
)

// The names of a table that stands behind another are no row; rows of texts may come again.
func TestNamesAgain(t *testing.T) {
	const again = "the line has the names of the first line again, as where one table stands behind another"
	names := func(r *csvfmt.Reader) { r.FirstLine = csvfmt.FirstLineNames }
	row := func(r *csvfmt.Reader) { r.FirstLine = csvfmt.FirstLineRow }
	for _, c := range []struct {
		set        options
		text, want string
	}{
		{nil, "a,g\n1,x\na,g\n2,y\n", "3: " + again},
		{nil, "a;g\n1,5;x\n\n\"a\";g\na;g\n", "4: " + again},
		{names, "a,g\n1,x\na,g\n2,y\n", "3: " + again},
		{row, "a,g\n1,x\na,g\n2,y\n", "att1{a,1,2} *att2{g,x,y} | a g | 1 x | a g | 2 y"},
		{nil, "a,g\nu,x\na,g\nv,y\n", "att1{a,u,v} *att2{g,x,y} | a g | u x | a g | v y"},
		{nil, "a,g\n1,x\na,y\n2,y\n", "att1{a,1,2} *att2{g,x,y} | a g | 1 x | a y | 2 y"},
		{nil, "a,g\n1,x\na,g\nb,y\n", "att1{a,1,b} *att2{g,x,y} | a g | 1 x | a g | b y"},
		{nil, "NA,g\n1,x\nNA,g\n2,y\n", "att1{NA,1,2} *att2{g,x,y} | NA g | 1 x | NA g | 2 y"},
		{nil, "a,a\n1,1\na,a\n2,2\n", "att1{a,1,2} *att2{a,1,2} | a a | 1 1 | a a | 2 2"},
	} {
		wantMeaning(t, c.set, c.text, c.want)
	}
}
