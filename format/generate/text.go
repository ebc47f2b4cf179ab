package generate

import "github.com/slimsvm/slimsvm/format"

var text = Set{
	Name: "text",
	Doc: `Sparse binary rows like bags of words: 1000 columns, about 26 ones a row, two
equally frequent classes. Columns are independent given the class. Column
j = 1..1000 is 1 with probability p = 5/(j + 9), so few columns are frequent
and most are rare; every fifth column tells the classes apart: with j/5 odd it
has 3p/2 in class +1 and p/2 in class -1, with j/5 even the other way round.`,
	Rows: 1000, Inputs: 1000, Classes: 2, Seeded: true,
	start: func(r *random, _ int) func(*format.Instance) {
		d := newBalancedSampler(r, 1, 1)
		return func(in *format.Instance) {
			in.Y = sign(d.next())
			for j := 1; j <= 1000; j++ {
				p := 5 / float64(j+9)
				if j%5 == 0 {
					if (j/5%2 == 1) == (in.Y > 0) {
						p = 3 * p / 2
					} else {
						p /= 2
					}
				}
				if r.uniform() < p {
					in.X.Index = append(in.X.Index, int32(j))
					in.X.Value = append(in.X.Value, 1)
				}
			}
		}
	},
}
