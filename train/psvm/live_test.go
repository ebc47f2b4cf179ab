package psvm

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/internal/testenv"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/train"
)

// TestLive: machines, sigmoids and answers are those of LIBSVM's svm-train -b 1 and svm-predict on
// the sets alone. Positives cost as much in total as negatives, unless there are more of them, or
// costs are equal. The sets have all their classes, or two.
func TestLive(t *testing.T) {
	for _, set := range []string{"isolated", "gauss5"} {
		for _, equal := range []bool{false, true} {
			for _, single := range []bool{false, true} {
				if single && set == "isolated" { // of two classes
					continue
				}
				t.Run(fmt.Sprintf("%s, equal costs %v, single %v", set, equal, single), func(t *testing.T) { live(t, set, equal, single) })
			}
		}
	}
}

func live(t *testing.T, name string, equal, single bool) {
	var programs []string
	for _, p := range []string{"svm-train", "svm-predict"} {
		path, err := exec.LookPath(p)
		if err != nil {
			testenv.SkipMissing(t, "machines are not compared with LIBSVM's", err)
		}
		programs = append(programs, path)
	}
	d := set(t, name, 60)
	c, _ := newCourse(t, func(s *Trainer) { s.Ballot, s.EqualCosts, s.Single = models.ByCount, equal, single }, d)
	c.sigmoids = train.NewRand(1)
	for _, of := range c.members {
		of.stale = true
		for k := range int32(d.Len()) { // more rows
			switch own := c.class[k] == c.class[of.exemplar]; {
			case own && of.exemplar%3 == 0 && k%8 == 1:
				of.join(&of.pos, k)
			case !own && of.exemplar%2 == 0 && k%8 == 2:
				of.join(&of.neg, k)
			}
		}
	}
	if err := c.fit(context.Background(), 0); err != nil {
		t.Fatal(err)
	}
	m := c.ensemble().model()
	b := predictorOf(t, m).NewBatch()
	calls, probabilities := make([][]bool, d.Len()), make([][]float64, d.Len())
	for k := range d.Len() {
		b.Decide([]vec.Vector{d.X.Row(k)})
		calls[k], probabilities[k] = make([]bool, len(c.members)), make([]float64, len(c.members))
		for i := range c.members {
			calls[k][i] = b.PositiveMembers(0)[i/64]>>(i%64)&1 != 0
		}
		b.MemberProbabilities(probabilities[k], 0)
	}
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	run := func(args ...string) {
		t.Helper()
		if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v: %s", args, err, out)
		}
	}
	write := func(name string, rows []int32, label func(row int32) int) {
		var text bytes.Buffer
		for _, k := range rows {
			fmt.Fprintf(&text, "%d", label(k))
			x := d.X.Row(int(k))
			for e, f := range x.Index {
				fmt.Fprintf(&text, " %d:%.17g", f, x.Value[e])
			}
			text.WriteByte('\n')
		}
		if err := os.WriteFile(file(name), text.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var all []int32
	for k := range int32(d.Len()) {
		all = append(all, k)
	}
	classes, compared := 0, 0
	for i := 0; i < len(c.members); i += 7 {
		of := c.members[i]
		own := c.class[of.exemplar]
		label := func(k int32) int {
			if single && c.class[k] != own {
				return 100
			}
			return 10 + c.class[k]
		}
		write("d", append(append([]int32{}, of.pos...), of.neg...), label)
		write("t", all, label)
		weight := 1.0
		if !equal {
			weight = max(1, float64(len(of.neg))/float64(len(of.pos)))
		}
		run(programs[0], "-q", "-t", "0", "-b", "1", "-e", "1e-6", fmt.Sprintf("-w%d", 10+own), fmt.Sprint(weight), file("d"), file("m"))
		theirs := modelOf(t, file("m"))
		planes, k := m.Member(i)
		classes = max(classes, k)
		if len(theirs.Machines) != planes.To-planes.From || theirs.Labels[0] != 10+own {
			t.Fatalf("machine %d has %d hyperplanes, LIBSVM's %d", i, planes.To-planes.From, len(theirs.Machines))
		}
		for q := range theirs.Machines {
			a, b := theirs.Machines[q], m.Machines[planes.From+q]
			if !(math.Abs(a.Sigmoid.A-b.Sigmoid.A) <= 1e-3*(1+math.Abs(a.Sigmoid.A))) || !(math.Abs(a.Sigmoid.B-b.Sigmoid.B) <= 1e-3*(1+math.Abs(a.Sigmoid.B))) || !(math.Abs(a.Rho-b.Rho) <= 1e-4*(1+math.Abs(b.Rho))) {
				t.Errorf("machine %d of %d and %d rows, hyperplane %d: sigmoid %v, rho %v; LIBSVM %v, %v", i, len(of.pos), len(of.neg), q, *b.Sigmoid, b.Rho, *a.Sigmoid, a.Rho)
			}
		}
		run(programs[1], file("t"), file("m"), file("o"))
		answers := lines(t, file("o"))
		run(programs[1], "-b", "1", file("t"), file("m"), file("p"))
		chances := lines(t, file("p"))[1:]
		for k := range d.Len() {
			if answer := answers[k] == fmt.Sprint(10+own); answer != calls[k][i] {
				t.Errorf("machine %d calls row %d positive: %v, LIBSVM answers %s, the class is %d", i, k, calls[k][i], answers[k], 10+own)
			}
			var p float64 // the columns are the model's labels, the exemplar's first
			if _, err := fmt.Sscan(strings.Fields(chances[k])[1], &p); err != nil {
				t.Fatal(err)
			}
			if !(math.Abs(p-probabilities[k][i]) <= 0.006) {
				t.Errorf("machine %d, row %d: probability %v, LIBSVM %v", i, k, probabilities[k][i], p)
			}
		}
		compared++
	}
	if compared < 5 || (classes > 2) != (name == "gauss5" && !single) {
		t.Errorf("%d machines of up to %d classes compared", compared, classes)
	}
}

func modelOf(t *testing.T, path string) *models.Model {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	m, err := models.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func lines(t *testing.T, path string) []string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(text)), "\n")
}
