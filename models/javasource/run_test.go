package javasource_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format/scale"
	"github.com/slimsvm/slimsvm/internal/testenv"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/internal/plantest"
	"github.com/slimsvm/slimsvm/models/javasource"
)

// A toolchain has the commands that compile Java, for Java 8, and that run it.
type toolchain struct {
	compile []string
	java    string
}

// compiler returns the system's toolchain, or skips the test with a message.
// SLIMSVM_REQUIRE_ORACLES does not require it: the installation of Weka brings a runtime of Java,
// which need not include a compiler.
func compiler(t *testing.T) toolchain {
	t.Helper()
	java, err := exec.LookPath("java")
	if err != nil {
		t.Skip("what is written in Java is not compiled: no java")
	}
	if javac, err := exec.LookPath("javac"); err == nil {
		return toolchain{[]string{javac, "-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "--release", "8"}, java}
	}
	// Debian's package of the runtime includes the compiler too, but no command for it
	modules, err := exec.Command(java, "--list-modules").Output()
	if err != nil || !strings.Contains(string(modules), "jdk.compiler@") {
		t.Skip("what is written in Java is not compiled: no javac, and no module jdk.compiler")
	}
	return toolchain{[]string{java, "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-m", "jdk.compiler/com.sun.tools.javac.Main", "--release", "8"}, java}
}

// kit reads and prints the lines of package plantest. It treats each model as an instance of its
// own class.
const kit = `
import java.nio.charset.StandardCharsets;

final class Kit {
    static String bits(double v) {
        if (v != v)
            return "nan";
        String digits = Long.toHexString(v == 0 ? 0 : Double.doubleToLongBits(v));
        return "0000000000000000".substring(digits.length()) + digits;
    }
    static String word(int v) { return bits(v); }
    static String word(double v) { return bits(v); }
    static String word(String v) {
        StringBuilder b = new StringBuilder("t");
        for (byte c : v.getBytes(StandardCharsets.UTF_8))
            b.append(String.format("%02x", c));
        return b.toString();
    }
    static String words(double[] all) {
        StringBuilder b = new StringBuilder();
        for (double v : all)
            b.append(' ').append(bits(v));
        return b.toString();
    }
    static double number(String word) { return Double.longBitsToDouble(Long.parseUnsignedLong(word, 16)); }
    static double[] dense(String[] words) {
        double[] x = new double[words.length - 2];
        for (int i = 0; i < x.length; i++)
            x[i] = number(words[i + 2]);
        return x;
    }
    static int[] index(String[] words) {
        int[] j = new int[words.length / 2 - 1];
        for (int i = 0; i < j.length; i++)
            j[i] = Integer.parseInt(words[2 * i + 2]);
        return j;
    }
    static double[] value(String[] words) {
        double[] x = new double[words.length / 2 - 1];
        for (int i = 0; i < x.length; i++)
            x[i] = number(words[2 * i + 3]);
        return x;
    }
    static Object[] columns(String[] words) {
        Object[] all = new Object[words.length - 2];
        for (int i = 0; i < all.length; i++) {
            String w = words[i + 2];
            if (w.startsWith("n"))
                all[i] = number(w.substring(1));
            else if (w.startsWith("t")) {
                byte[] b = new byte[w.length() / 2];
                for (int k = 0; k < b.length; k++)
                    b[k] = (byte) Integer.parseInt(w.substring(2 * k + 1, 2 * k + 3), 16);
                all[i] = new String(b, StandardCharsets.UTF_8);
            }
        }
        return all;
    }
}
`

// A program is a folder written for one run: models, and a class that answers with them.
type program struct {
	folder  string
	classes []string // names of the source files
	cases   strings.Builder
	n       int
}

// add writes a model's class and the code that answers with it.
func (p *program) add(t *testing.T, m *models.Model, r *scale.Ranges) {
	t.Helper()
	name := fmt.Sprintf("M%d", p.n)
	var b bytes.Buffer
	err := javasource.Write(&b, m, name)
	if r != nil {
		b.Reset()
		err = javasource.WriteScaled(&b, m, name, r)
	}
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range b.Bytes() {
		if c >= 0x80 || c < ' ' && c != '\n' {
			t.Fatalf("byte %d is %#x", i, c)
		}
	}
	p.write(t, name+".java", b.String())
	say := func(x string) string {
		s := "Kit.word(@.predict(" + x + ")) + Kit.words(@.decisions(" + x + "))"
		switch {
		case m.Probability && m.Task.Regresses():
			s += ` + " " + Kit.bits(@.SIGMA)`
		case m.Probability && m.Task == models.OneClass:
			s += ` + " " + Kit.word(@.predict(` + x + `)) + Kit.words(@.probabilities(` + x + `))`
		case m.Probability:
			s += ` + " " + Kit.word(@.mostProbable(` + x + `)) + Kit.words(@.probabilities(` + x + `))`
		}
		return s
	}
	fmt.Fprintf(&p.cases, "            case %d:\n", p.n)
	fmt.Fprint(&p.cases, strings.ReplaceAll(func() string {
		switch {
		case m.Inputs != nil:
			return "                double[] x@ = @.encode(Kit.columns(w));\n                return " + say("x@") + " + Kit.words(x@);\n"
		case r != nil:
			return "                double[] x@ = w[1].equals(\"s\") ? @.scale(Kit.index(w), Kit.value(w)) : @.scale(Kit.dense(w));\n                return " + say("x@") + " + Kit.words(x@);\n"
		case m.Vectors.Len() > 0 && strings.Contains(b.String(), "ROWS"):
			return "                return " + say("Kit.dense(w)") + ";\n"
		}
		return "                if (w[1].equals(\"d\"))\n                    return " + say("Kit.dense(w)") + ";\n                return " + say("Kit.index(w), Kit.value(w)") + ";\n"
	}(), "@", name))
	p.n++
}

func (p *program) write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(p.folder, name), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	p.classes = append(p.classes, filepath.Join(p.folder, name))
}

// run compiles the program, without a warning, and returns its output for lines.
func (p *program) run(t *testing.T, tools toolchain, lines []string) []string {
	t.Helper()
	p.write(t, "Kit.java", kit)
	p.write(t, "Main.java", `public class Main {
    static String say(String[] w) {
        switch (Integer.parseInt(w[0])) {
`+p.cases.String()+`        }
        throw new IllegalStateException();
    }
    public static void main(String[] args) throws java.io.IOException {
        java.util.Locale.setDefault(new java.util.Locale("tr", "TR"));
        java.io.BufferedReader in = new java.io.BufferedReader(new java.io.InputStreamReader(System.in));
        StringBuilder out = new StringBuilder();
        for (String line; (line = in.readLine()) != null; ) {
            String words;
            try {
                words = say(line.split(" "));
            } catch (IllegalArgumentException e) {
                words = "! " + e.getMessage();
            }
            out.append(words).append('\n');
        }
        System.out.print(out);
    }
}
`)
	args := slices.Concat(tools.compile[1:], []string{"-Xlint:all,-options", "-Xdoclint:all,-missing", "-Werror", "-encoding", "US-ASCII", "-d", p.folder}, p.classes)
	if out, err := exec.Command(tools.compile[0], args...).CombinedOutput(); err != nil {
		t.Fatalf("javac: %v\n%.3000s", err, out)
	}
	if err := testenv.TrackInputs(p.classes...); err != nil {
		t.Fatal(err)
	}

	run := exec.Command(tools.java, "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", p.folder, "Main")
	run.Stdin = strings.NewReader(strings.Join(lines, "\n") + "\n")
	var errs bytes.Buffer
	run.Stderr = &errs
	out, err := run.Output()
	if err != nil {
		t.Fatalf("java: %v\n%.3000s", err, &errs)
	}
	got := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	if len(got) != len(lines) {
		t.Fatalf("%d lines for %d", len(got), len(lines))
	}
	return got
}

// agree compares the results of compiled models for rows with those of package predict, and returns
// how many numbers are the same.
func agree(t *testing.T, tools toolchain, trials []plantest.Trial) (numbers int) {
	t.Helper()
	p := &program{folder: t.TempDir()}
	for _, c := range trials {
		p.add(t, c.Model, c.Ranges)
	}
	in, want, err := plantest.Lines(trials)
	if err != nil {
		t.Fatal(err)
	}
	got := p.run(t, tools, in)
	for i := range in {
		if got[i] != want[i] {
			t.Fatalf("%s\n%s in Java, want\n%s", in[i], got[i], want[i])
		}
		numbers += len(strings.Fields(want[i]))
	}
	return numbers
}
