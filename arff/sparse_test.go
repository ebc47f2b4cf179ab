package arff

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestCompleted: what Weka puts in the place of what sparse rows leave out, beside a plain account
// of that.
func TestCompleted(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		kinds := make([]string, 1+rng.IntN(12))
		var text strings.Builder
		text.WriteString("@relation r\n")
		for i := range kinds {
			kinds[i] = []string{"numeric", "string", "relational", "{}"}[rng.IntN(4)]
			fmt.Fprintf(&text, "@attribute a%d %s\n", i, kinds[i])
			if kinds[i] == "relational" {
				fmt.Fprintf(&text, "@attribute n numeric\n@end a%d\n", i)
			}
		}
		text.WriteString("@data\n")
		first := make([]string, len(kinds)) // value of the file
		var rows [][]string                 // what each column is; "": 0
		for number := range 10 {
			row := make([]string, len(kinds))
			var listed []string
			for i, kind := range kinds {
				value := fmt.Sprint(10*number + i)
				switch lists := rng.IntN(2) == 0 || number == 0; {
				case kind == "{}":
					value = "?"
					fallthrough
				case lists:
					if rng.IntN(4) == 0 && number > 0 {
						value = "?"
					}
					if kind != "{}" || lists {
						listed = append(listed, fmt.Sprintf("%d %s", i, value))
					}
				case kind == "numeric":
					value = ""
				default:
					value = first[i]
				}
				row[i] = value
				if first[i] == "" && value != "?" {
					first[i] = value
				}
			}
			fmt.Fprintf(&text, "{%s}\n", strings.Join(listed, ","))
			rows = append(rows, row)
		}
		r := NewReader(strings.NewReader(text.String()))
		r.Weka = true
		for number, want := range rows {
			in, err := r.Read()
			if err != nil {
				t.Fatalf("%v in\n%s", err, text.String())
			}
			if !slices.IsSorted(in.X.Index) || len(in.X.Index) != len(in.X.Value) {
				t.Fatalf("row %d of\n%s has indices %v", number, text.String(), in.X.Index)
			}
			got := make([]string, len(kinds))
			for k, i := range in.X.Index {
				switch v := in.X.Value[k]; {
				case math.IsNaN(v):
					got[i] = "?"
				case kinds[i] == "string":
					got[i] = in.Strings[int(v)]
				case kinds[i] == "relational":
					got[i] = fmt.Sprint(in.Tables[int(v)][0].X.Value[0])
				default:
					got[i] = fmt.Sprint(v)
				}
			}
			if !slices.Equal(got, want) {
				t.Fatalf("row %d of\n%s is %q, want %q", number, text.String(), got, want)
			}
		}
	}
}

// TestCompletedMemory: what rows leave out is not copied for each.
func TestCompletedMemory(t *testing.T) {
	const long, rows = 1 << 20, 1000
	r := NewReader(strings.NewReader("@relation r\n@attribute s string\n@attribute u string\n@data\n{0 " + strings.Repeat("x", long) + ",1 y}\n" +
		strings.Repeat("{1 z}\n", rows)))
	r.Weka = true
	before := allocated()
	for n := range 1 + rows {
		if in, err := r.Read(); err != nil || len(in.Strings) != 2 || len(in.Strings[int(in.X.Value[0])]) != long {
			t.Fatal(n, err)
		}
	}
	if took := allocated() - before; took > 16*long {
		t.Errorf("%d bytes for %d rows that leave out a text of %d", took, rows, long)
	}
}
