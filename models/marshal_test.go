package models_test

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// A kept is a struct with models, as programs may store it.
type kept struct {
	Name  string
	Model models.Model
	Other *models.Model
}

// TestMarshal: in JSON or gob a model is the text of its file, with vectors and kernel.
func TestMarshal(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		a, b := anyModel().Draw(rt, "model"), anyEnsemble().Draw(rt, "ensemble")
		inJSON, err := json.Marshal(kept{"m", *a, b})
		if err != nil {
			rt.Fatal(err)
		}
		var inGob bytes.Buffer
		if err := gob.NewEncoder(&inGob).Encode(kept{"m", *a, b}); err != nil {
			rt.Fatal(err)
		}
		var fromJSON, fromGob kept
		if err := json.Unmarshal(inJSON, &fromJSON); err != nil {
			rt.Fatal(err)
		}
		if err := gob.NewDecoder(&inGob).Decode(&fromGob); err != nil {
			rt.Fatal(err)
		}
		for name, got := range map[string]kept{"JSON": fromJSON, "gob": fromGob} {
			if d := difference(&got.Model, mustRead(t, mustWrite(t, a))); d != "" {
				rt.Fatalf("%s: %s", name, d)
			}
			if got.Name != "m" || mustWrite(t, &got.Model) != mustWrite(t, a) || mustWrite(t, got.Other) != mustWrite(t, b) {
				rt.Fatalf("%s: other models come back", name)
			}
		}
	})
}

// TestMarshalErrors: a model that cannot be written is not marshalled, and a faulty text leaves the
// model unchanged.
func TestMarshalErrors(t *testing.T) {
	m := classifier()
	m.Inputs = []byte("\xff\n")
	if text, err := json.Marshal(m); err == nil || !strings.Contains(err.Error(), "the model's inputs are not UTF-8") {
		t.Errorf("%s, %v", text, err)
	}
	m.Inputs, m.Provenance = nil, &models.Provenance{Method: "m\xff"}
	if text, err := json.Marshal(m); err == nil || !strings.Contains(err.Error(), "the model's provenance is not UTF-8") {
		t.Errorf("%s, %v", text, err)
	}
	m.Provenance, m.Machines = nil, m.Machines[:1]
	if text, err := json.Marshal(m); err == nil {
		t.Errorf("a model without machines is %s", text)
	}
	got := models.Model{Kernel: kernel.Linear{}}
	for text, want := range map[string]string{
		`"svm_type c_svc\n"`: "1: the file ends where", `"x"`: `1:1: `, `{"Vectors":{}}`: "json: cannot unmarshal object",
	} {
		if err := json.Unmarshal([]byte(text), &got); err == nil || !strings.Contains(err.Error(), want) || got.Kernel != kernel.Kernel(kernel.Linear{}) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	if err := got.UnmarshalBinary([]byte("key")); err == nil || err.Error() != `1:1: unknown key "key"` || got.Kernel != kernel.Kernel(kernel.Linear{}) {
		t.Errorf("binary: %v", err)
	}
}
