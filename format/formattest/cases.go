package formattest

import (
	"flag"
	"os"
	"strconv"
	"testing"
)

// casesVariable is the environment variable that says how many random cases the
// property tests of the formats try.
const casesVariable = "SLIMSVM_PROPERTY_CASES"

// inShort is what rapid divides the number of cases by in short mode.
const inShort = 5

// Cases makes the rapid.Check calls of a test try as many cases as the environment variable
// SLIMSVM_PROPERTY_CASES says, or usual if it is not set. It returns how many are tried: in short
// mode, where rapid takes a fifth, that fifth. The setting is for the whole process, so the test
// must not run in parallel with others.
func Cases(t *testing.T, usual int) int {
	t.Helper()
	n := usual
	if s := os.Getenv(casesVariable); s != "" {
		var err error
		if n, err = strconv.Atoi(s); err != nil || n < 1 {
			t.Fatalf("%s is %q, expected a number of cases from 1", casesVariable, s)
		}
	}
	if testing.Short() {
		n = max(n, inShort)
	}
	checks := flag.Lookup("rapid.checks")
	if checks == nil {
		t.Fatal("the test does not use rapid")
	}
	before := checks.Value.String()
	if err := checks.Value.Set(strconv.Itoa(n)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { checks.Value.Set(before) })
	if testing.Short() {
		n /= inShort
	}
	return n
}
