package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/jsonline"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/tally"
)

func searchAll(t *testing.T, line string) (r searched) {
	t.Helper()
	text := command(t, line)
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		t.Fatalf("%s: %v in %s", line, err, text)
	}
	return r
}

// told returns v as JSON.
func told(v any) string {
	text, err := jsonline.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// TestGridIsCV: each point has the score that cv prints with its parameters, and the best is
// the best of them; of equals the one with the lowest cost, then with the lowest gamma.
func TestGridIsCV(t *testing.T) {
	t.Chdir(t.TempDir())
	writeRows(t, "all.arff", mixedRows(61))
	writeRows(t, "more.arff", mixedRows(230))
	writeNumbers(t, "more.txt", mixedRows(230))
	for _, c := range []struct {
		grid   string
		points int
	}{
		// of kernel values that all points with a gamma have in common
		{"--data more.arff --log2c=-2,8,5 --log2g=-5,1,3 --folds 4", 9},
		{"--data more.arff --scale normalize --log2c=-2,8,2 --log2g=-5,1,6 --folds 3 --repeat 2 --threads 2", 12},
		{"--data more.arff --method epsilon-svr --class y --log2c 0,6,2 --log2g=-4,-2,2 --log2p=-3,3,6 --folds 3", 16},
		{"--data more.txt --log2c=-2,8,5 --log2g=-5,1,3 --folds 4 --threads 3", 9},
		{"--data more.txt --method nu-svr --log2c=-2,2,2 --log2g=-5,1,6 --folds 3", 6},
		{"--data more.txt --probability --log2c=-2,2,2 --log2g=-5,1,6 --folds 3 --cache-mb 0.1", 6}, // too little for them
		{"--log2c=-2,6,4 --log2g=-5,1,3 --folds 4 --seed 3", 9},
		{"--log2c=-2,2,2 --gamma 0.25 --repeat 2 --folds 3", 3},
		{"--cost 2 --log2g=1,-3,-2 --probability --folds 3", 3},
		{"--method nusvc --nu 0.5 --log2g=-1,0,1 --folds 3", 2},
		{"--method epsilon-svr --class y --log2c 0,6,6 --log2g=-4,-2,2 --log2p=-3,3,6 --folds 3", 8},
		{"--method joint --vectors 3 --log2c 0,2,2 --gamma 0.5 --folds 3", 2},
		{"--method ssvm --kernel linear --log2c=-4,4,4 --folds 3", 3},
		{"--as weka-smo --log2c=-4,4,4 --folds 3", 3}, // linear
	} {
		data, rest := "all.arff", c.grid
		if after, ok := strings.CutPrefix(c.grid, "--data "); ok {
			data, rest, _ = strings.Cut(after, " ")
		}
		c.grid = rest
		r := searchAll(t, "grid --json "+data+" "+c.grid)
		if len(r.Points) != c.points {
			t.Errorf("grid %s: %d points, want %d", c.grid, len(r.Points), c.points)
			continue
		}
		var fixed []string // options, for cv
		for words := strings.Fields(c.grid); len(words) > 0; {
			word := words[0]
			words = words[1:]
			if strings.HasPrefix(word, "--log2") {
				if !strings.Contains(word, "=") {
					words = words[1:]
				}
				continue
			}
			fixed = append(fixed, word)
		}
		best := gridPoint{}
		for i, p := range r.Points {
			line := "cv --json " + data + " " + strings.Join(fixed, " ")
			for name, v := range map[string]*jsonline.Number{"cost": p.Cost, "gamma": p.Gamma, "epsilon": p.Epsilon} {
				if v != nil {
					line += fmt.Sprintf(" --%s %v", name, float64(*v))
				}
			}
			v := validate(t, line)
			if !reflect.DeepEqual(v.Rate, p.Rate) || v.Deviation != *p.Deviation || r.Rows != v.Rows || r.Folds != v.Folds {
				t.Errorf("grid %s: %s, but %s: %s", c.grid, told(p), line, told(v))
			}
			if i == 0 || p.Accuracy != nil && *p.Accuracy > *best.Accuracy || p.Accuracy == nil && *p.MeanSquaredError < *best.MeanSquaredError {
				best = p
			}
		}
		if !reflect.DeepEqual(best, r.Best) {
			t.Errorf("grid %s: the best is %s, want the first of the best, %s", c.grid, told(r.Best), told(best))
		}
	}
}

// writeNumbers writes rows without the columns of words to a file of LIBSVM's format.
func writeNumbers(t *testing.T, name string, rows []string) {
	t.Helper()
	var text strings.Builder
	for i, row := range rows {
		cells := strings.Split(row, ",")
		fmt.Fprintf(&text, "%d", i%3)
		for c, cell := range cells[:2] {
			if cell != "?" {
				fmt.Fprintf(&text, " %d:%s", c+1, cell)
			}
		}
		text.WriteByte('\n')
	}
	if err := os.WriteFile(name, []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestGridTrains: MODEL is the model that train makes with the best parameters.
func TestGridTrains(t *testing.T) {
	t.Chdir(t.TempDir())
	writeRows(t, "all.arff", mixedRows(61))
	for _, options := range []string{"", "--method rsvm --vectors 9", "--kernel sigmoid --coef0 -1", "--method epsilon-svr --class x --scale standardize"} {
		r := searchAll(t, "grid --json --folds 3 --log2c=-1,3,2 --log2g=-6,-2,2 all.arff found "+options)
		command(t, fmt.Sprintf("train -q all.arff trained --cost %v --gamma %v %s", float64(*r.Best.Cost), float64(*r.Best.Gamma), options))
		found, err := os.ReadFile("found")
		if err != nil {
			t.Fatal(err)
		}
		trained, err := os.ReadFile("trained")
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(found, trained) {
			t.Errorf("%s: the model of cost %v and gamma %v is not the one that train makes", options, *r.Best.Cost, *r.Best.Gamma)
		}
		if r.Trained == nil || r.Trained.Model != "found" {
			t.Errorf("%s: trained %+v", options, r.Trained)
		}
	}
}

// TestGridGoesOn: points that fail are reported and are no candidates; if all fail, that is the error.
func TestGridGoesOn(t *testing.T) {
	t.Chdir(t.TempDir())
	writeRows(t, "all.arff", mixedRows(31))
	const overflow = "all.arff:13: kernel values overflow: "
	r := searchAll(t, "grid --json -q --kernel poly --scale standardize --cost 1 --log2g=-3,297,100 --folds 3 all.arff")
	failed := 0
	for _, p := range r.Points {
		if p.Error == "" {
			continue
		}
		failed++
		if !strings.HasPrefix(p.Error, overflow) || p.Scored != 0 || p.Deviation != nil {
			t.Errorf("a point that failed: %+v", p)
		}
	}
	if failed == 0 || failed == len(r.Points) || r.Best.Error != "" {
		t.Errorf("%d of %d failed, the best is %+v", failed, len(r.Points), r.Best)
	}
	var stdout, stderr bytes.Buffer
	status := run(context.Background(), strings.Fields("grid --kernel poly --log2c 0,1,1 --log2g 290,298,4 --folds 3 all.arff m"), nil, &stdout, &stderr)
	if status != statusFailed || !strings.Contains(stderr.String(), "slimsvm: "+overflow) || stdout.Len() > 0 {
		t.Errorf("all fail: status %d, %s%s", status, stdout.String(), stderr.String())
	}
	if _, err := os.Stat("m"); err == nil {
		t.Error("a model of nothing was written")
	}
}

// TestGivenUp: the folds of a point that nobody begins since one failed count as done, so that all
// there are count in the end.
func TestGivenUp(t *testing.T) {
	t.Chdir(t.TempDir())
	writeRows(t, "all.arff", mixedRows(31))
	var s *search
	app := newApp(&env{stdin: nil, stdout: io.Discard, stderr: io.Discard})
	for _, c := range app.Commands {
		if c.Name == "grid" {
			c.Action = func(c *cli.Context) error {
				e := &env{stdout: io.Discard, stderr: io.Discard}
				p, err := e.load(c, "all.arff")
				if err != nil {
					return err
				}
				w := &watcher{warner: warner{env: e, quiet: true}}
				whole, err := p.prepare(c.Context, c, p.rows, 0, w)
				if err != nil {
					return err
				}
				axes, err := axes(c, p.method, whole.kernel)
				if err != nil {
					return err
				}
				s = newSearch(p, c, whole, axes, &chosenBy{Measure: *tally.Usual(p.method.Task)})
				if err := s.start(w); err != nil {
					return err
				}
				return s.run(c.Context, 2)
			}
		}
	}
	args := strings.Fields("slimsvm grid --kernel poly --scale standardize --cost 1 --log2g=-3,297,100 --folds 3 --repeat 2 all.arff")
	if err := app.RunContext(t.Context(), args); err != nil {
		t.Fatal(err)
	}
	failed := 0
	for _, p := range s.tried {
		if p.err != nil {
			failed++
		}
	}
	if got, want := s.done.Load(), int64(4*3*2); failed == 0 || got != want || s.total() != want {
		t.Errorf("%d of %d folds are done, of %d, and %d points failed", got, s.total(), want, failed)
	}
}

func TestPowers(t *testing.T) {
	for text, want := range map[string][]float64{
		"-1,1,1": {0.5, 1, 2}, "1,-1,-1": {0.5, 1, 2}, "0,0,1": {1}, "0,0,-3": {1}, "0,5,2": {1, 4, 16}, "-2, 0 ,2.": {0.25, 1},
	} {
		exponents, err := exponents(text)
		if got := powersOf(exponents); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %v, %v, want %v", text, got, err, want)
		}
	}
	if got, err := exponents("0,1,0.1"); len(got) != 11 || power(got[10]) != 2 {
		t.Errorf("%v, %v", got, err)
	}
	for text, want := range map[string]string{
		"": "expected BEGIN,END,STEP", "1": "expected BEGIN,END,STEP", "1,2": "expected BEGIN,END,STEP", "1,2,3,4": "expected BEGIN,END,STEP",
		"a,2,1": `expected numbers, found "a"`, "1,,1": `expected numbers, found ""`, "1,nan,1": `expected numbers, found "nan"`,
		"1,2,0": "a step of 0 does not lead from 1 to 2", "1,2,-1": "a step of -1 does not lead from 1 to 2", "2,1,1": "a step of 1 does not lead from 2 to 1",
		"0,301,1": "301: expected at most 300, and at least -300", "-inf,1,1": "-Inf: expected at most 300, and at least -300",
		"0,1,0.001": "that is more than 1000 values", "0,1,1e-300": "that is more than 1000 values",
	} {
		if got, err := exponents(text); err == nil || err.Error() != want {
			t.Errorf("%q: %v, %v, want %s", text, got, err, want)
		}
	}
}

// TestManyPoints: a grid of more points than anybody can wait for is wrong usage, and takes no memory.
func TestManyPoints(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("data", []byte("1 1:1\n2 1:2\n3 1:3\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	line := []string{"grid", "--method", "epsilon-svr", "--log2c", "0,9.99,0.01", "--log2g", "0,9.99,0.01", "--log2p", "0,1,1", "data"}
	const want = "slimsvm: the grid has 2000000 points, more than 1000000: narrow it, or search it in wider steps first\n"
	if _, said, status := slimsvmSays(t, line...); status != statusUsage || !strings.HasPrefix(said, want) {
		t.Errorf("status %d, %s", status, said)
	}
}

// TestPower: powers are those that Python's 2.0**x has, which is what grid.py tries.
func TestPower(t *testing.T) {
	for x, want := range map[float64]float64{
		0.5: 1.4142135623730951, -0.5: 0.7071067811865476, 0.25: 1.189207115002721, -2.75: 0.14865088937534013,
		0.1: 1.0717734625362931, 0.439: 1.355664326800001, -14.5: 4.315837287515549e-05, 3.3: 9.849155306759329,
		-0.1: 0.9330329915368074, 299.5: 1.4404019523870748e+90, -300.0: 4.909093465297727e-91, -1e-20: 1.0,
		1e-300: 1.0, 0.49999999999999994: 1.414213562373095, -17.95: 3.949222274175179e-06, 6.6: 97.00586025666546,
	} {
		if got := power(x); got != want {
			t.Errorf("2^%v is %v, want %v", x, got, want)
		}
	}
}
