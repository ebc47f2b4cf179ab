package models

import (
	"slices"
	"strings"
	"testing"
)

// docs/libsvm.md says where the parts of LIBSVM's struct svm_model are, and that Task has LIBSVM's
// numbers of svm_type.
func TestPlacesOfLIBSVM(t *testing.T) {
	m, err := Read(strings.NewReader(`svm_type c_svc
kernel_type linear
nr_class 3
total_sv 4
rho 10 20 30
label 7 5 6
probA -1 -2 -3
probB 0.5 0.25 0.125
nr_sv 1 2 1
SV
1 2 1:1
-3 4 1:2
-5 6 1:3
-7 -8 1:4
`))
	if err != nil {
		t.Fatal(err)
	}
	svCoef := [][]float64{{1, -3, -5, -7}, {2, 4, 6, -8}} // columns of the file
	start := m.GroupStart()
	for i := range m.Labels {
		for j := i + 1; j < len(m.Labels); j++ {
			at := PairIndex(i, j, len(m.Labels))
			want := slices.Concat(svCoef[j-1][start[i]:start[i+1]], svCoef[i][start[j]:start[j+1]])
			c := m.Machines[at]
			if !slices.Equal(c.Coef, want) || c.Rho != float64(10*(at+1)) || c.Sigmoid.A != float64(-at-1) {
				t.Errorf("classes %d and %d: coefficients %v, rho %v, sigmoid %v; want coefficients %v", i, j, c.Coef, c.Rho, *c.Sigmoid, want)
			}
		}
	}
	for number, name := range []string{"c_svc", "nu_svc", "one_class", "epsilon_svr", "nu_svr"} { // svm-train -s
		if got := Task(number).String(); got != name {
			t.Errorf("svm_type %d is %s, want %s", number, got, name)
		}
	}
}
