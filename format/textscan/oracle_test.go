package textscan_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/big"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format/textscan"
	"github.com/slimsvm/slimsvm/internal/testenv"
)

// clib answers questions in the notation of testdata/clib.c.
type clib struct {
	path    string
	version [2]int // of the GNU C library
}

// newClib compiles testdata/clib.c, or skips the test aloud.
func newClib(t *testing.T) *clib {
	t.Helper()
	c, reason := buildClib(t)
	if c == nil {
		noClib(t, reason)
	}
	return c
}

// noClib skips the test, or fails it where the oracles are required.
func noClib(t *testing.T, reason string) {
	t.Helper()
	testenv.SkipMissing(t, "not compared with the C library", errors.New(reason))
}

// buildClib compiles testdata/clib.c, or says why it cannot.
func buildClib(t *testing.T) (c *clib, reason string) {
	t.Helper()
	cc := ""
	for _, name := range []string{"cc", "gcc", "clang"} {
		if path, err := exec.LookPath(name); err == nil {
			cc = path
			break
		}
	}
	if cc == "" {
		return nil, "no C compiler"
	}
	c = &clib{path: filepath.Join(t.TempDir(), "clib")}
	source := filepath.Join("testdata", "clib.c")
	if err := testenv.TrackInputs(source); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(cc, "-O1", "-fno-builtin", "-o", c.path, source).CombinedOutput(); err != nil {
		return nil, fmt.Sprintf("%s: %v\n%s", cc, err, out)
	}
	version := c.run(t, nil)
	if n, _ := fmt.Sscanf(version[0], "%d.%d", &c.version[0], &c.version[1]); n != 2 {
		return nil, "it is not the GNU C library on x86-64"
	}
	return c, ""
}

// ask returns the answer to each question.
func (c *clib) ask(t *testing.T, questions []string) []string {
	t.Helper()
	answers := c.run(t, questions)[1:]
	if len(answers) != len(questions) {
		t.Fatalf("%d answers to %d questions", len(answers), len(questions))
	}
	return answers
}

// bulk returns the answers to lines of questions, a line each behind the first,
// which is dropped.
func (c *clib) bulk(questions []byte) ([]byte, error) {
	cmd := exec.Command(c.path)
	cmd.Env = []string{"LC_ALL=C"}
	cmd.Stdin = bytes.NewReader(questions)
	out, err := cmd.Output()
	_, answers, _ := bytes.Cut(out, []byte{'\n'})
	return answers, err
}

func (c *clib) run(t *testing.T, questions []string) []string {
	t.Helper()
	cmd := exec.Command(c.path)
	cmd.Env = []string{"LC_ALL=C"}
	cmd.Stdin = strings.NewReader(strings.Join(append(questions, ""), "\n"))
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for s := bufio.NewScanner(bytes.NewReader(out)); s.Scan(); {
		lines = append(lines, s.Text())
	}
	return lines
}

func TestFloatOracle(t *testing.T) {
	c := newClib(t)
	var texts []string
	for _, test := range floatTests {
		texts = append(texts, strings.NewReplacer("^", "", "!", "").Replace(test.text))
	}
	for exp := -1130; exp <= 1030; exp++ {
		texts = append(texts, fmt.Sprintf("1e%d", exp), fmt.Sprintf("0x1p%d", exp), fmt.Sprintf("0x1.8p%d", exp), fmt.Sprintf("0x.fffffffffffff8p%d", exp))
	}
	mega := strings.Repeat("9", 1<<20)
	texts = append(texts, mega, mega+"e-1048576", "."+mega+"e-308", "0x"+mega+"p-4194304", "1e"+mega, "1e-"+mega, "0x1p-"+mega)
	source := newTokens(4)
	for range count(t, 120_000) {
		texts = append(texts, source.next())
	}
	questions := make([]string, len(texts))
	for i, text := range texts {
		questions[i] = fmt.Sprintf("d %x", text)
	}
	slips, numbers, eranges := 0, 0, 0
	for i, answer := range c.ask(t, questions) {
		v, n, err := textscan.Float([]byte(texts[i]))
		if math.IsNaN(v) {
			// chars in parentheses do not count
			answer = answer[:3] + "8000000000000" + answer[16:len(answer)-1] + "0"
		}
		erange := 0
		if err != nil {
			erange = 1
		}
		got := fmt.Sprintf("%016x %d %d", math.Float64bits(v), n, erange)
		if got != answer {
			if c.slips(texts[i]) {
				slips++
				continue
			}
			t.Errorf("Float(%s) is %s, C has %s", brief(texts[i]), got, answer)
		}
		numbers += min(n, 1)
		eranges += erange
	}
	if numbers < len(texts)/2 || eranges < len(texts)/100 {
		t.Errorf("only %d numbers, %d out of range among %d texts", numbers, eranges, len(texts))
	}
	t.Logf("%d texts, %d numbers, %d out of range; %d slips of the C library", len(texts), numbers, eranges, slips)
}

// slips reports whether text falls under a fault of the GNU C library before
// 2.41 (its bug 30220): of a subnormal number with 54 significant bits, it
// forgets the last one before it rounds.
func (c *clib) slips(text string) bool {
	if c.version[0] > 2 || c.version[1] >= 41 {
		return false
	}
	m := strtodGrammar.FindStringSubmatch(text)
	x, ok := new(big.Rat).SetString(m[2] + m[3])
	if !ok {
		return false
	}
	f := new(big.Float).SetPrec(5000).SetRat(x)
	return f.MinPrec() == 54 && f.Cmp(big.NewFloat(0x1p-1022)) < 0
}

func TestIntOracle(t *testing.T) {
	c := newClib(t)
	source := newTokens(5)
	var texts, questions []string
	for range count(t, 200_000) {
		text := source.integer()
		texts = append(texts, text)
		questions = append(questions, fmt.Sprintf("l %x", text))
	}
	for i, answer := range c.ask(t, questions) {
		v, n, err := textscan.Int([]byte(texts[i]))
		erange := 0
		if err != nil {
			erange = 1
		}
		if got := fmt.Sprintf("%d %d %d", v, n, erange); got != answer {
			t.Errorf("Int(%q) is %s, C has %s", texts[i], got, answer)
		}
	}
}

func TestIsSpaceOracle(t *testing.T) {
	c := newClib(t)
	var questions []string
	for b := range 256 {
		questions = append(questions, fmt.Sprintf("s %x", b))
	}
	for b, answer := range c.ask(t, questions) {
		if got := textscan.IsSpace(byte(b)); got != (answer == "1") {
			t.Errorf("IsSpace(%#02x) is %v, C has %s", b, got, answer)
		}
	}
}

func TestPrintfOracle(t *testing.T) {
	c := newClib(t)
	type question struct {
		verb byte
		prec int
		x    float64
	}
	var asked []question
	ask := func(x float64) {
		for _, prec := range []int{6, 8, 17} {
			asked = append(asked, question{'g', prec, x}, question{'g', prec, -x})
		}
		asked = append(asked, question{'f', 6, x}, question{'f', 6, -x})
	}
	for _, test := range printfTests {
		ask(test.x)
	}
	source := newTokens(6)
	for range count(t, 30_000) {
		x := math.Float64frombits(source.Uint64())
		switch source.IntN(8) {
		case 0:
			x = source.subnormal()
		case 1:
			x = source.landmark()
		case 2: // a round decimal
			x, _ = strconv.ParseFloat(source.short(), 64)
		case 3: // an integer, also 999999.5 and the like
			x = math.Floor(math.Ldexp(source.Float64(), source.IntN(60))) / 2
		case 4: // all nines up to the precision, or a five behind it
			x, _ = strconv.ParseFloat(strings.Repeat("9", 1+source.IntN(18))+source.digits(source.IntN(2))+"e"+strconv.Itoa(source.IntN(50)-30), 64)
		}
		ask(x)
		asked = append(asked, question{'g', source.IntN(30), x}, question{'f', source.IntN(30), x})
	}
	questions := make([]string, len(asked))
	for i, q := range asked {
		questions[i] = fmt.Sprintf("%c %d %x", q.verb, q.prec, math.Float64bits(q.x))
	}
	var b []byte
	for i, answer := range c.ask(t, questions) {
		q := asked[i]
		if q.verb == 'g' {
			b = textscan.AppendG(b[:0], q.x, q.prec)
		} else {
			b = textscan.AppendF(b[:0], q.x, q.prec)
		}
		if string(b) != answer {
			t.Errorf("%%.%d%c of %x is %s, C has %s", q.prec, q.verb, q.x, b, answer)
		}
	}
	t.Logf("%d numbers written", len(asked))
}
