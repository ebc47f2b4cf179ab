package launch

import (
	"os"
	"runtime"
	"strconv"
	"strings"
)

// limitProcessors makes the runtime use no more processors than there are, and than the user wants:
// more threads than processors only keep each other from work. If GOMAXPROCS does not say how many,
// OMP_NUM_THREADS does, as for LIBSVM's commands built with OpenMP: whoever sets it in a job's
// script has been given so many.
func limitProcessors() {
	most := runtime.GOMAXPROCS(0)
	n := min(most, runtime.NumCPU())
	if wanted := openMP(os.Getenv("OMP_NUM_THREADS")); 0 < wanted && wanted < n && !positive(os.Getenv("GOMAXPROCS")) {
		spared, n = n, wanted
	}
	if n < most {
		runtime.GOMAXPROCS(n)
	}
}

// spared is the number of processors of which OMP_NUM_THREADS leaves some; 0: it has no effect.
var spared int

// AllowProcessors lets the runtime use up to n processors where OMP_NUM_THREADS allows fewer: what a
// command line asks for comes before what the environment does, as with OpenMP.
func AllowProcessors(n int) {
	if n = min(n, spared); n > runtime.GOMAXPROCS(0) {
		runtime.GOMAXPROCS(n)
	}
}

// openMP returns the number of threads that OMP_NUM_THREADS asks for, or 0 if its value is none that
// OpenMP knows. A list has the numbers of nested regions, of which the outermost is the first.
func openMP(value string) int {
	first, _, _ := strings.Cut(value, ",")
	n, err := strconv.Atoi(strings.TrimSpace(first))
	if err != nil {
		return 0
	}
	return max(n, 0)
}

// positive reports whether the runtime takes GOMAXPROCS for a number of processors.
func positive(value string) bool {
	n, err := strconv.ParseInt(value, 10, 32)
	return err == nil && n > 0
}
