package compat_test

import (
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"testing"

	"github.com/slimsvm/slimsvm/cmd/slimsvm-bench/cost"
	"github.com/slimsvm/slimsvm/internal/testenv"
)

// A gridTool is LIBSVM's grid.py, as Debian ships it.
type gridTool struct{ python, script, train string }

// installedGrid returns the installed grid.py, or skips the test.
func installedGrid(t testing.TB) (g gridTool) {
	t.Helper()
	g.train = filepath.Join(oracle(t), "svm-train")
	var err error
	if g.script, err = exec.LookPath("svm-grid"); err == nil {
		g.python, err = exec.LookPath("python3")
	}
	if err != nil {
		testenv.SkipMissing(t, "needs svm-grid of Debian's package libsvm-tools, and python3", err)
	}
	return g
}

// line is the command that searches a grid on data, and writes what each point comes to into out.
func (g gridTool) line(log2c, log2g, folds, out, data string) []string {
	return []string{g.python, g.script, "-svmtrain", g.train, "-gnuplot", "null",
		"-log2c", log2c, "-log2g", log2g, "-v", folds, "-out", out, data}
}

// gridLine is what grid.py writes of a point.
var gridLine = regexp.MustCompile(`(?m)^log2c=(\S+) log2g=(\S+) rate=(\S+)$`)

// gridRates returns what it wrote: percentages, of six digits, by cost and gamma.
func gridRates(t testing.TB, path string) map[[2]float64]float64 {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	rates := map[[2]float64]float64{}
	for _, m := range gridLine.FindAllStringSubmatch(string(text), -1) {
		var v [3]float64
		for i := range v {
			if v[i], err = strconv.ParseFloat(m[1+i], 64); err != nil {
				t.Fatal(err)
			}
		}
		rates[[2]float64{math.Exp2(v[0]), math.Exp2(v[1])}] = v[2]
	}
	return rates
}

// ourRates returns the same of what slimsvm grid --json prints.
func ourRates(t testing.TB, path string) map[[2]float64]float64 {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var searched struct {
		Points []struct{ Cost, Gamma, Accuracy float64 }
	}
	if err := json.Unmarshal(text, &searched); err != nil {
		t.Fatal(err)
	}
	rates := map[[2]float64]float64{}
	for _, p := range searched.Points {
		at := [2]float64{p.Cost, p.Gamma}
		if rates[at], err = strconv.ParseFloat(strconv.FormatFloat(100*p.Accuracy, 'g', 6, 64), 64); err != nil {
			t.Fatal(err)
		}
	}
	return rates
}

// sameRates fails the test unless both searched the same points, with as many rows right at each.
func sameRates(t testing.TB, theirs, ours map[[2]float64]float64, points int) {
	t.Helper()
	if len(theirs) != points || len(ours) != points {
		t.Fatalf("%d points, grid.py has %d, expected %d", len(ours), len(theirs), points)
	}
	for at, rate := range theirs {
		if got, ok := ours[at]; !ok || got != rate {
			t.Errorf("cost %g, gamma %g: %v%%, grid.py has %v%%", at[0], at[1], got, rate)
		}
	}
}

// scaledSet writes a data set, scaled to [-1,1], into a folder and returns its path.
func scaledSet(t testing.TB, dir, name string) string {
	t.Helper()
	text, err := readPacked(filepath.Join(realData(t), filepath.FromSlash(name)+".libsvm.zst"))
	if err != nil {
		t.Fatal(err)
	}
	raw := filepath.Join(dir, "raw")
	if err := os.WriteFile(raw, text, 0o666); err != nil {
		t.Fatal(err)
	}
	scaled, err := exec.Command(filepath.Join(commands(t), "svm-scale"), "-l", "-1", "-u", "1", raw).Output()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, filepath.Base(name))
	if err := os.WriteFile(path, scaled, 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestGrid searches grids with LIBSVM's grid.py and with slimsvm grid: as many rows are right at
// every point.
func TestGrid(t *testing.T) {
	g, bin, dir := installedGrid(t), commands(t), t.TempDir()
	compared := 0
	for _, name := range []string{"heart/heart_scale", "german_numer/german.numer", "iris/iris.scale", "splice/splice"} {
		data, out, json := scaledSet(t, dir, name), filepath.Join(dir, "theirs"), filepath.Join(dir, "ours")
		// relative names: grid.py gives them to a shell, which would split a folder's name at a blank
		c := exec.Command(g.python, g.line("-1,7,4", "-1,-9,-4", "3", filepath.Base(out), filepath.Base(data))[1:]...)
		c.Dir = dir
		if text, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		ours, err := exec.Command(filepath.Join(bin, "slimsvm"), "grid", "--json", "--quiet", "--log2c=-1,7,4", "--log2g=-1,-9,-4", "--folds", "3", data).Output()
		if err == nil {
			err = os.WriteFile(json, ours, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
		sameRates(t, gridRates(t, out), ourRates(t, json), 9)
		compared += 9
	}
	t.Logf("%d points, as many rows right at each", compared)
}

// BenchmarkGrid measures LIBSVM's grid.py with its svm-train, one process at a time as it does by
// itself, and slimsvm grid, in turn, on whole grids of 110 points and five folds:
//
//	go test -run '^$' -bench Grid -benchtime 3x -timeout 2h ./compat_test
//
// Metrics are medians over the rounds: x-cpu of one thread, x-wall-1 and x-wall-all with one thread
// and one a processor are how many times as fast ours is. All points must have as many rows right.
func BenchmarkGrid(b *testing.B) {
	g, bin := installedGrid(b), commands(b)
	for _, name := range []string{"heart/heart_scale", "german_numer/german.numer", "splice/splice", "segment/segment.scale"} {
		b.Run(filepath.Base(name), func(b *testing.B) {
			dir := b.TempDir()
			data := scaledSet(b, dir, name)
			ours := []string{filepath.Join(bin, "slimsvm"), "grid", "--json", "--quiet", data, "--threads"}
			var cpu, one, all, seconds []float64
			for b.Loop() {
				theirs := measure(b, dir, g.line("-5,15,2", "3,-15,-2", "5", "theirs", filepath.Base(data)))
				search := func(threads int) cost.Cost {
					c, err := cost.Measure(b.Context(), dir, os.Environ(), "ours", append(ours, strconv.Itoa(threads))...)
					if err != nil {
						b.Fatal(err)
					}
					sameRates(b, gridRates(b, filepath.Join(dir, "theirs")), ourRates(b, filepath.Join(dir, "ours")), 110)
					return c
				}
				alone := search(1)
				all = append(all, theirs.Wall.Seconds()/search(runtime.NumCPU()).Wall.Seconds())
				cpu = append(cpu, theirs.CPU.Seconds()/alone.CPU.Seconds())
				one = append(one, theirs.Wall.Seconds()/alone.Wall.Seconds())
				seconds = append(seconds, alone.CPU.Seconds())
			}
			b.ReportMetric(cost.Median(cpu), "x-cpu")
			b.ReportMetric(cost.Median(one), "x-wall-1")
			b.ReportMetric(cost.Median(all), "x-wall-all")
			b.ReportMetric(cost.Median(seconds), "s-ours")
			b.ReportMetric(0, "ns/op") // of all together: says nothing
		})
	}
}
