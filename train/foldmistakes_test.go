package train

import (
	"fmt"
	"testing"

	"github.com/slimsvm/slimsvm/internal/testenv"
)

// TestFoldMistakes: folds of rows or classes that cannot be panic with the reason, and checks of no
// data set say that there is none.
func TestFoldMistakes(t *testing.T) {
	for want, f := range map[string]func(){
		"train: folds of -1 rows":                 func() { PlainFolds(-1, 2, NewRand(1)) },
		"train: stratified folds without classes": func() { StratifiedFolds(nil, 2, NewRand(1)) },
	} {
		if got := testenv.PanicOf(f); got != want {
			t.Errorf("panics with %q, want %q", got, want)
		}
	}
	for _, err := range []error{CheckTargets(nil), CheckWeights(nil, true), CheckWeights(nil, false)} {
		if fmt.Sprint(err) != "no data set" {
			t.Errorf("without a data set: %v", err)
		}
	}
}
