package csource_test

import (
	"fmt"
	"log"
	"strings"

	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/csource"
)

// A model becomes the text of a C file. These are the functions that a program calls; the file's
// first comment says how.
func ExampleWrite() {
	m, err := models.Read(strings.NewReader(`svm_type epsilon_svr
kernel_type linear
nr_class 2
total_sv 2
rho -0.5
SV
0.25 1:1 2:2
-0.5 2:1
`))
	if err != nil {
		log.Fatal(err)
	}
	var file strings.Builder
	if err := csource.Write(&file, m, csource.Name("house price")); err != nil {
		log.Fatal(err)
	}
	for line := range strings.Lines(file.String()) {
		if strings.HasSuffix(line, ");\n") && !strings.HasPrefix(line, "\t") { // declarations
			fmt.Print(line)
		}
	}
	// Output:
	// double house_price_predict(const double *x, size_t n);
	// void house_price_decisions(const double *x, size_t n, double *values);
}
