package models_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/models"
)

// TestWords: numbers of the header and coefficients are read to the last bit, whatever their form and
// whatever is between them; the most frequent forms between two blanks are read in a shorter way.
func TestWords(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 12))
	numbers := []string{"0", "-0", "1", "-1", "9", "-9", "+3", "00", "-00", "10", "-12", "0.5", "-.5", "1e3", "-0e5", "2.", "0.28473910561829374", "-1e-310"}
	blanks := []string{" ", " ", " ", " ", "  ", "\t", " \t "}
	pick := func(of []string) string { return of[rng.IntN(len(of))] }
	const classes, vectors = 7, 14
	for range 200 {
		list := func(n int, some []string, between []string) (text string, bits []uint64) {
			for range n {
				word := pick(some)
				v, err := strconv.ParseFloat(word, 64)
				if err != nil {
					t.Fatal(err)
				}
				text, bits = text+pick(between)+word, append(bits, math.Float64bits(v))
			}
			return text, bits
		}
		rho, rhos := list(models.Pairs(classes), append(numbers, "inf", "-infinity"), append(blanks, "\n", " \n "))
		probA, sigmoids := list(models.Pairs(classes), numbers, blanks)
		text := "svm_type c_svc\nkernel_type linear\nnr_class 7\ntotal_sv 14\nrho" + rho + "\nlabel 1 2 3 4 5 6 7\nprobA" + probA + "\nprobB" + probA + "\nnr_sv 2 2 2 2 2 2 2\nSV\n"
		var coefs [vectors][]uint64
		for i := range coefs {
			line, bits := list(classes-1, numbers, blanks)
			if rng.IntN(2) == 0 {
				line = strings.TrimLeft(line, " \t")
			}
			text, coefs[i] = text+line+fmt.Sprintf(" 1:%d\n", i+1), bits
		}
		m := mustRead(t, text)
		for n, c := range m.Machines {
			if math.Float64bits(c.Rho) != rhos[n] || math.Float64bits(c.Sigmoid.A) != sigmoids[n] || math.Float64bits(c.Sigmoid.B) != sigmoids[n] {
				t.Fatalf("machine %d has rho %v and sigmoid %v in\n%s", n, c.Rho, *c.Sigmoid, text)
			}
			for k, v := range c.Coef {
				i, column := 2*c.Pos+k, c.Neg-1
				if k >= 2 {
					i, column = 2*c.Neg+k-2, c.Pos
				}
				if math.Float64bits(v) != coefs[i][column] {
					t.Fatalf("coefficient %d of vector %d is %v in\n%s", column+1, i+1, v, text)
				}
			}
		}
	}
}
