package javasource_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/internal/plantest"
	"github.com/slimsvm/slimsvm/models/javasource"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// lines runs a program and compares its output.
func (p *program) lines(t *testing.T, tools toolchain, in, want []string) {
	t.Helper()
	got := p.run(t, tools, in)
	for i := range in {
		if got[i] != want[i] {
			t.Errorf("%.300s\n%.300s in Java, want\n%.300s", in[i], got[i], want[i])
		}
	}
}

// TestColumns: Java makes the same features of columns as format/encode, and labels and targets
// come out as they were declared, whatever characters they have. Impossible rows are refused.
func TestColumns(t *testing.T) {
	tools := compiler(t)
	all, err := plantest.Columns(rand.New(rand.NewPCG(9, 10)))
	if err != nil {
		t.Fatal(err)
	}
	p := &program{folder: t.TempDir()}
	var in, want []string
	for i, c := range all {
		p.add(t, c.Model, nil)
		for k := range c.In {
			in, want = append(in, fmt.Sprint(i, " ", c.In[k])), append(want, c.Want[k])
		}
	}
	if len(in) < 900 {
		t.Errorf("%d rows", len(in))
	}
	// invalid rows
	rng := rand.New(rand.NewPCG(11, 12))
	for i, m := range []*models.Model{
		plantest.Shape{Kernel: kernel.RBF{Gamma: 1}, Classes: 2, Vectors: 5, First: 1, Width: 9, Density: 0.9, Grouped: true}.Model(rng),
		plantest.Shape{Kernel: kernel.RBF{Gamma: 1}, Classes: 2, Vectors: 5, First: 1, Width: 90, Density: 0.1, Grouped: true}.Model(rng),
		plantest.Precomputed(rng)[0].Model,
	} {
		p.add(t, m, nil)
		at := fmt.Sprint(len(all)+i, " ")
		one, inf, nan := plantest.Bits(1), plantest.Bits(math.Inf(1)), "7ff8000000000000"
		if i == 2 {
			in = append(in, at+"d "+one, at+"d "+strings.Repeat(one+" ", 11)+inf)
			want = append(want, "! 1 values of the kernel, expected 12 or more", "! x[11] is Infinity")
			continue
		}
		in = append(in, at+"d "+one+" "+nan, at+"s 1 "+inf, at+"s 2 "+one+" 2 "+one, at+"s 0 "+one, at+"s 2 "+one+" 1 "+one, at+"s -1 "+one)
		want = append(want, "! x[1] is NaN", "! value[0] is Infinity", "! index[1] is 2: indices increase from 1 on",
			"! index[0] is 0: indices increase from 1 on", "! index[1] is 1: indices increase from 1 on", "! index[0] is -1: indices increase from 1 on")
	}
	missing := strings.Repeat(" -", 7)
	in = append(in, "0 c -", "0 c "+plantest.Text("1,5")+missing, "0 c "+plantest.Text("0x1p3")+missing, "0 c "+plantest.Text("1-")+missing, "0 c n"+plantest.Bits(math.Inf(1))+missing)
	want = append(want, "! expected 8 columns, found 1", `! columns[0]: expected a number, found "1,5"`, `! columns[0]: expected a number, found "0x1p3"`,
		`! columns[0]: expected a number, found "1-"`, "! x[0] is Infinity")
	p.lines(t, tools, in, want)
}

// TestLarge: a model whose tables are far larger than a method and a constant of Java can be, a
// label of more than 65,535 bytes and a column with more labels than a class can have constants are
// written, compiled and answer. Features far from the others take no extra room.
func TestLarge(t *testing.T) {
	tools := compiler(t)
	rng := rand.New(rand.NewPCG(3, 4))
	large := plantest.Trial{Model: plantest.Shape{Kernel: kernel.RBF{Gamma: 0.01}, Classes: 3, Vectors: 10000, First: 1, Width: 100, Density: 1, Grouped: true}.Model(rng), First: 1}
	wide := plantest.Trial{Model: plantest.Shape{Kernel: kernel.Linear{}, Classes: 400, Vectors: 1000, First: 1, Width: 5000, Density: 0.01, Grouped: true}.Model(rng), First: 1}
	plantest.Sigmoids(rng, wide.Model)
	for range 3 {
		large.Rows = append(large.Rows, row(rng, 1, 100, 1))
		wide.Rows = append(wide.Rows, row(rng, 1, 5000, 0.01))
	}
	trials := append(plantest.Far(rng), large, wide)
	p := &program{folder: t.TempDir()}
	for _, c := range trials {
		p.add(t, c.Model, nil)
	}
	in, want, err := plantest.Lines(trials)
	if err != nil {
		t.Fatal(err)
	}
	// labels
	var inputs bytes.Buffer
	long := strings.Repeat("é", 40000)
	inputs.WriteString("{\"relation\":\"r\",\"class\":2,\"columns\":2}\n{\"name\":\"c\",\"type\":\"nominal\",\"labels\":[\"" + long + "\"")
	for i := range 70000 {
		fmt.Fprintf(&inputs, ",\"label %d\"", i)
	}
	inputs.WriteString("],\"fill\":0,\"feature\":1}\n{\"name\":\"y\",\"type\":\"nominal\",\"labels\":[\"" + long + "\",\"q\"],\"fill\":0,\"feature\":70002}\n")
	m := &models.Model{Task: models.CSVC, Kernel: kernel.Linear{}, Labels: []int{1, 0}, Inputs: inputs.Bytes(), Machines: []models.Machine{{Neg: 1, Coef: []float64{1}}}}
	m.Vectors.Append(vec.Vector{Index: []int32{70001}, Value: []float64{1}})
	var b bytes.Buffer
	if err := javasource.Write(&b, m, "Labels"); err != nil {
		t.Fatal(err)
	}
	p.write(t, "Labels.java", b.String())
	fmt.Fprintf(&p.cases, "            case %d: return Kit.word(Labels.predict(Labels.encode(Kit.columns(w))));\n", p.n)
	in = append(in, fmt.Sprint(p.n, " c ", plantest.Text("label 69999")), fmt.Sprint(p.n, " c ", plantest.Text(long)))
	want = append(want, plantest.Text("q"), plantest.Text(long))
	p.lines(t, tools, in, want)
}

// TestMost: tables may take as many constants as a class can have, and a model that needs more is
// refused.
func TestMost(t *testing.T) {
	defer javasource.PartBytes(72)()
	rng := rand.New(rand.NewPCG(13, 14))
	of := func(vectors int) plantest.Trial {
		return plantest.Trial{Model: plantest.Shape{Kernel: kernel.Linear{}, Classes: 2, Vectors: vectors, First: 1, Width: 9, Density: 1, Grouped: true}.Model(rng), First: 1, Rows: []vec.Vector{row(rng, 1, 9, 1)}}
	}
	var b bytes.Buffer
	const want = "the model's tables take 1 MB, and those of a class in Java can take 0"
	if err := javasource.Write(&b, of(8000).Model, "M"); fmt.Sprint(err) != want || b.Len() > 0 {
		t.Errorf("%v, want %s", err, want)
	}
	agree(t, compiler(t), []plantest.Trial{of(6700)})
}

// TestFused: the fused operation that is composed of others is exact, also near to half-way between
// two numbers.
func TestFused(t *testing.T) {
	tools := compiler(t)
	m := plantest.Shape{Task: models.EpsilonSVR, Kernel: kernel.RBF{Gamma: 1}, Vectors: 3, First: 1, Width: 3, Density: 1}.Model(rand.New(rand.NewPCG(7, 8)))
	var b bytes.Buffer
	if err := javasource.Write(&b, m, "F"); err != nil {
		t.Fatal(err)
	}
	p := &program{folder: t.TempDir()}
	text := b.String()
	for _, name := range []string{"fma", "near"} {
		if !strings.Contains(text, "private static double "+name+"(") {
			t.Fatalf("no method %s", name)
		}
		text = strings.Replace(text, "private static double "+name+"(", "static double "+name+"(", 1)
	}
	p.write(t, "F.java", text)
	fmt.Fprint(&p.cases, "            case 0: double[] v = Kit.dense(w); return Kit.bits(F.fma(v[0], v[1], v[2]));\n"+
		"            case 1: double[] n = Kit.dense(w); return Kit.bits(F.near(n[0], n[1], n[2]));\n")
	var in, want []string
	add := func(what int, x, y, z float64) {
		in = append(in, fmt.Sprint(what, " d ", plantest.Bits(x), " ", plantest.Bits(y), " ", plantest.Bits(z)))
		want = append(want, plantest.Bits(math.FMA(x, y, z)))
	}
	for _, c := range plantest.Fused(rand.New(rand.NewPCG(5, 6))) {
		add(0, c[0], c[1], c[2])
		if math.Abs(c[0]*c[1])*256 <= math.Abs(c[2]) {
			add(1, c[0], c[1], c[2])
		}
	}
	p.lines(t, tools, in, want)
}

// TestRefused: invalid names, models, and ranges of other rows are refused, and nothing is written.
func TestRefused(t *testing.T) {
	const no = ` is no name of a class in Java: `
	const expected = no + `expected letters, digits and _, no digit first, and dots after the names of packages`
	if err := plantest.CheckRefused("Java", map[string]string{
		"":            `""` + expected,
		"2x":          `"2x"` + expected,
		"a.":          `"a."` + expected,
		"a..B":        `"a..B"` + expected,
		"é":           `"é"` + expected,
		"a-b":         `"a-b"` + expected,
		"class":       `"class"` + no + `class is a word of the language`,
		"a.new.B":     `"a.new.B"` + no + `new is a word of the language`,
		"_":           `"_"` + no + `_ is a word of the language`,
		"record":      `"record"` + no + `record is a word of the language`,
		"Math":        `"Math" is no name for the class: Java's own Math is used in it`,
		"java.util.B": `"java.util.B" is no name for the class: Java's own java is used in it`,
		"Iris":        "<nil>",
		"_2nd":        "<nil>",
		"com.ex.Iris": "<nil>",
	}, javasource.Write, javasource.WriteScaled); err != nil {
		t.Error(err)
	}
}

// TestNames: difficult names of classes, and one in a package, compile.
func TestNames(t *testing.T) {
	tools := compiler(t)
	rng := rand.New(rand.NewPCG(7, 8))
	p := &program{folder: t.TempDir()}
	var in, want []string
	for i, name := range []string{"predict", "x", "Z", "VECTORS", "_2nd", "Buffer", "exp", "a.b.Deep"} {
		c := plantest.Trial{Model: plantest.Shape{Kernel: kernel.RBF{Gamma: 1}, Classes: 3, Vectors: 9, First: 1, Width: 4, Density: 0.9, Grouped: true}.Model(rng), First: 1, Rows: []vec.Vector{row(rng, 1, 4, 1)}}
		plantest.Sigmoids(rng, c.Model)
		var b bytes.Buffer
		if err := javasource.Write(&b, c.Model, name); err != nil {
			t.Fatal(err)
		}
		p.write(t, name[strings.LastIndexByte(name, '.')+1:]+".java", b.String())
		fmt.Fprintf(&p.cases, "            case %d: return Kit.words(%s.decisions(Kit.dense(w)));\n", i, name)
		all, err := c.Want()
		if err != nil {
			t.Fatal(err)
		}
		words := ""
		for _, v := range all[0][1:4] {
			words += " " + plantest.Bits(v)
		}
		in, want = append(in, fmt.Sprint(i, " ", plantest.Dense(c.Rows[0], 1))), append(want, words)
	}
	p.lines(t, tools, in, want)
}
