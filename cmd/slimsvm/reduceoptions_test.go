package main

import (
	"os"
	"strings"
	"testing"
)

// allSaid returns all that slimsvm says, which has to do what it is asked for.
func allSaid(t *testing.T, args ...string) string {
	t.Helper()
	out, problem, status := slimsvmSays(t, args...)
	if status != 0 {
		t.Fatalf("%q: %s", args, problem)
	}
	return out + problem
}

// TestReduceOptions: an option of reduce that a method heeds makes another model; one that
// it does not heed is warned of, and makes none.
func TestReduceOptions(t *testing.T) {
	t.Chdir(t.TempDir())
	says := func(args ...string) string {
		t.Helper()
		return allSaid(t, args...)
	}
	if err := os.WriteFile("data", []byte(says("generate", "waveform", "--rows", "40")), 0o666); err != nil {
		t.Fatal(err)
	}
	says("train", "-q", "--gamma", "0.05", "--cost", "0.3", "data", "model")
	reduce := func(args ...string) (model, warnings string) {
		args = append(append([]string{"reduce", "--vectors", "7"}, args...), "model", "data", "small")
		for line := range strings.Lines(says(args...)) {
			if strings.HasPrefix(line, "warning: ") {
				warnings += line
			}
		}
		return read(t, "small"), warnings
	}
	options := map[string][]string{
		"cost": {"--cost", "0.01"}, "search": {"--search", "restarts"}, "starts": {"--starts", "1"},
		"growth": {"--growth", "0.9"}, "next": {"--next", "worst"},
	}
	for _, method := range reduceMethods() {
		if method == jointMethod { // begins as shared, and takes its time
			continue
		}
		for _, search := range []string{searchEvolution, "restarts"} {
			same := []string{"--method", method}
			if search != searchEvolution {
				same = append(same, "--search", search)
			}
			was, _ := reduce(same...)
			for option, args := range options {
				if option == "search" && search != searchEvolution {
					continue
				}
				is, warnings := reduce(append(same, args...)...)
				warned := strings.Contains(warnings, "--"+option+": it has no effect") || strings.Contains(warnings, "--"+option+": they have no effect")
				rarely := method == "fixed-point" && option == "starts" // where the first start does not converge
				if changed := is != was; changed == warned && !rarely {
					t.Errorf("--method %s --search %s %q: another model %v, warnings %q", method, search, args, changed, warnings)
				}
			}
		}
	}
}

// TestReduceWeightOfText: the factor of a class is given by its label, also where that is text.
func TestReduceWeightOfText(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "rows.csv", "a,b,y\n1,2,good\n2,1,bad\n3,3,good\n2,5,bad\n4,4,bad\n5,1,good\n")
	allSaid(t, "train", "-q", "rows.csv", "model")
	out := allSaid(t, "reduce", "-q", "--json", "--vectors", "2", "--weight", "good=5", "model", "rows.csv", "small")
	if want := `"weights":[{"label":"good","weight":5}]`; !strings.Contains(out, want) {
		t.Errorf("%s, want %s", out, want)
	}
	want := "slimsvm: --weight \"ugly=5\": no label \"ugly\": there are \"good\", \"bad\"\n"
	if _, said, status := slimsvmSays(t, "reduce", "--vectors", "2", "--weight", "ugly=5", "model", "rows.csv", "small"); status != statusUsage || !strings.HasPrefix(said, want) {
		t.Errorf("status %d, %s, want %s", status, said, want)
	}
}

// TestBareMachines: where a method gives machines vectors of their own, and there are fewer
// vectors than machines, it is told how many have none. Machines that share vectors all have some.
func TestBareMachines(t *testing.T) {
	t.Chdir(t.TempDir())
	says := func(args ...string) string {
		t.Helper()
		return allSaid(t, args...)
	}
	if err := os.WriteFile("data", []byte(says("generate", "gauss5", "--rows", "60")), 0o666); err != nil {
		t.Fatal(err)
	}
	says("train", "-q", "data", "model") // ten machines
	for method, few := range map[string]string{
		"orig":    "warning: small: 6 of 10 machines have no vector, and give one answer for all rows: --vectors 10 is enough for one each\n",
		"burges":  "warning: small: 6 of 10 machines have no vector, and give one answer for all rows: --vectors 10 is enough for one each\n",
		"shared":  "",
		"kmeans":  "",
		"retrain": "of 10 machines have no vector, and give one answer for all rows: --vectors 10 is enough for one each\n",
	} {
		for vectors, want := range map[string]string{"4": few, "10": ""} {
			text := says("reduce", "--method", method, "--vectors", vectors, "model", "data", "small")
			if warned := strings.Contains(text, "warning:"); warned != (want != "") || !strings.Contains(text, want) {
				t.Errorf("%s, %s vectors: %q, expected %q", method, vectors, text, want)
			}
		}
	}
}
