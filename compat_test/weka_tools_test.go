package compat_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/slimsvm/slimsvm/internal/testenv"
)

// wekaJar is Weka 3.6 as Debian packages it; SLIMSVM_WEKA names another jar.
const wekaJar = "/usr/share/java/weka.jar"

// A wekaTool runs classes of the installed Weka.
type wekaTool struct{ java, jar string }

var findWeka = sync.OnceValues(func() (wekaTool, error) {
	jar := os.Getenv("SLIMSVM_WEKA")
	if jar == "" {
		jar = wekaJar
	}
	if _, err := os.Stat(jar); err != nil {
		return wekaTool{}, err
	}
	java, err := exec.LookPath("java")
	return wekaTool{java, jar}, err
})

// installedWeka returns the installed Weka, or skips the test.
func installedWeka(t testing.TB) wekaTool {
	t.Helper()
	w, err := findWeka()
	if err != nil {
		testenv.SkipMissing(t, "needs Debian's packages weka and default-jre-headless", err)
	}
	return w
}

// options are Java's: quick to start, and the same on every machine.
func (w wekaTool) options() []string {
	return []string{"-Duser.timezone=UTC", "-Duser.language=en", "-Duser.country=US", "-Dfile.encoding=UTF-8",
		"-Djava.awt.headless=true", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto", "-cp", w.jar}
}

// run runs a class of Weka's and returns what it prints. Its exit status is 0
// even when it fails: then it prints an exception.
func (w wekaTool) run(ctx context.Context, class string, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, w.java, append(append(w.options(), class), args...)...)
	var out, talk bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &talk
	err := cmd.Run()
	if text := talk.String(); err != nil || strings.Contains(text, "Exception") {
		err = errors.Join(err, fmt.Errorf("%s: %.400s", class, text))
	}
	return out.Bytes(), err
}

// A wekaReader has Weka read ARFF files; of texts that are equal one.
type wekaReader struct {
	weka wekaTool
	dir  string
	mu   sync.Mutex
	seen map[string]func() (*table, error)
	runs int
}

func newWekaReader(t testing.TB, w wekaTool) *wekaReader {
	return &wekaReader{weka: w, dir: t.TempDir(), seen: map[string]func() (*table, error){}}
}

// read returns what Weka makes of ARFF text.
func (r *wekaReader) read(ctx context.Context, text []byte) (*table, error) {
	r.mu.Lock()
	do, ok := r.seen[string(text)]
	if !ok {
		r.runs++
		name := filepath.Join(r.dir, fmt.Sprint("data", r.runs))
		text := bytes.Clone(text)
		do = sync.OnceValues(func() (*table, error) { return r.load(ctx, name, text) })
		r.seen[string(text)] = do
	}
	r.mu.Unlock()
	return do()
}

func (r *wekaReader) load(ctx context.Context, name string, text []byte) (*table, error) {
	if err := os.WriteFile(name+".arff", text, 0o666); err != nil {
		return nil, err
	}
	if _, err := r.weka.run(ctx, "weka.core.converters.SerializedInstancesSaver", "-i", name+".arff", "-o", name+".bsi"); err != nil {
		return nil, err
	}
	stream, err := os.ReadFile(name + ".bsi")
	if err != nil {
		return nil, err
	}
	return wekaTable(stream)
}
