package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/arff"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/jsonline"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/internal/testenv"
)

// shared returns a path in the folder of the data that the project does not hold,
// or skips the test.
func shared(t *testing.T, elements ...string) string {
	t.Helper()
	return testenv.Shared(t, elements...)
}

// TestRawARFF: data with missing values, nominal columns and text labels as they
// are: train, then predict, prints labels as text, nearly all of them right; and the
// same for a file whose columns and labels are declared in another order.
func TestRawARFF(t *testing.T) {
	for name, atLeast := range map[string]jsonline.Number{"soybean": 0.95, "labor": 0.95, "hypothyroid": 0.93} {
		t.Run(name, func(t *testing.T) {
			path := shared(t, "data", "arff_dev", name+".arff.zst")
			t.Chdir(t.TempDir())
			command(t, "train --quiet --scale normalize --cost 10 --gamma 0.1 "+path+" model")
			var stdout, stderr bytes.Buffer
			if status := run(context.Background(), []string{"predict", path, "model"}, nil, &stdout, &stderr); status != 0 {
				t.Fatal(stderr.String())
			}
			shuffle(t, path, "shuffled.arff")
			if got := command(t, "predict --quiet shuffled.arff model"); got != stdout.String() {
				t.Error("other predictions when columns and labels stand in another order")
			}
			var s scored
			if err := json.Unmarshal([]byte(command(t, "predict --json shuffled.arff model")), &s); err != nil {
				t.Fatal(err)
			}
			predictions := strings.Split(strings.TrimSuffix(stdout.String(), "\n"), "\n")
			known := map[string]bool{}
			for _, label := range s.Confusion.Labels {
				known[label] = true
			}
			for i, label := range predictions {
				if !known[label] || label == fmt.Sprint(i) {
					t.Fatalf("row %d: prediction %q is none of %q", i+1, label, s.Confusion.Labels)
				}
			}
			if len(predictions) != s.Rows || *s.Accuracy < atLeast {
				t.Errorf("%d predictions for %d rows, accuracy %v", len(predictions), s.Rows, *s.Accuracy)
			}
			if !strings.Contains(stderr.String(), "accuracy ") || !strings.Contains(stderr.String(), "true \\ predicted") {
				t.Errorf("score %q", stderr.String())
			}
			t.Logf("%s: %d rows, %d labels, accuracy %v", name, s.Rows, len(known), *s.Accuracy)
		})
	}
}

// shuffle writes an ARFF file with its columns, and the labels of nominal columns,
// in the opposite order.
func shuffle(t *testing.T, from, to string) {
	t.Helper()
	in, err := format.Open(from)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	r := arff.NewReader(in)
	h, err := r.Header()
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	w := arff.NewWriter(&text)
	turned := &format.Header{Relation: "turned", Class: -1}
	for _, a := range slices.Backward(h.Attributes) {
		a.Labels = slices.Clone(a.Labels)
		slices.Reverse(a.Labels)
		turned.Attributes = append(turned.Attributes, a)
	}
	if err := w.WriteHeader(turned); err != nil {
		t.Fatal(err)
	}
	for n := int32(len(h.Attributes)); ; {
		row, err := r.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		out := format.Instance{Weight: row.Weight}
		for i := range n {
			v := row.X.At(n - 1 - i)
			if a := turned.Attributes[i]; a.Type == format.Nominal && v == v {
				v = float64(len(a.Labels)-1) - v
			}
			out.X.Index, out.X.Value = append(out.X.Index, i), append(out.X.Value, v)
		}
		if err := w.Write(out); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, text.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
}

// needsWeka are files of the corpus whose sparse rows leave out strings, of which
// a strict reader does not know what they are.
var needsWeka = map[string]bool{"real_weka_ClassifierTest.arff": true, "real_weka_InstancesTest.arff": true}

// TestMeaning: inspect --json --rows says of every valid file of the ARFF corpus
// what its JSON does.
func TestMeaning(t *testing.T) {
	folder := shared(t, "corpus", "arff", "valid")
	files, err := filepath.Glob(filepath.Join(folder, "*.arff*"))
	if err != nil || len(files) == 0 {
		t.Fatal("no files: ", err)
	}
	compared := 0
	for _, path := range files {
		name := strings.TrimSuffix(filepath.Base(path), ".zst")
		if strings.HasSuffix(name, ".json") {
			continue
		}
		want := readJSON(t, folder, name+".json")
		if want == nil {
			continue
		}
		var stdout, stderr bytes.Buffer
		args := []string{"inspect", "--json", "--rows", path}
		if needsWeka[name] {
			args = append(args, "--weka")
		}
		if status := run(context.Background(), args, nil, &stdout, &stderr); status != 0 {
			t.Errorf("%s: %s", name, stderr.String())
			continue
		}
		var got any
		if err := json.Unmarshal(stdout.Bytes(), &got); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		compared++
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %.600s\nwant\n%.600v", name, stdout.String(), want)
		}
	}
	if compared < 100 {
		t.Errorf("%d files compared", compared)
	}
	t.Logf("%d files compared", compared)
}

func readJSON(t *testing.T, folder, name string) (v any) {
	t.Helper()
	f, err := format.Open(filepath.Join(folder, name))
	if os.IsNotExist(err) {
		f, err = format.Open(filepath.Join(folder, name+".zst"))
	}
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := json.NewDecoder(f).Decode(&v); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return withoutWeights(v)
}

// withoutWeights leaves out weights of 1, which say nothing and which the corpus
// has in some places.
func withoutWeights(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for key, value := range v {
			if key == "weight" && value == 1.0 {
				delete(v, key)
			} else {
				v[key] = withoutWeights(value)
			}
		}
	case []any:
		for i := range v {
			v[i] = withoutWeights(v[i])
		}
	}
	return v
}
