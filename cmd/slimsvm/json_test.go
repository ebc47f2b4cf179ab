package main

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/facts"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/tally"
)

// TestJSONDocumented: docs/json.md has every key that --json prints.
func TestJSONDocumented(t *testing.T) {
	text, err := os.ReadFile("../../docs/json.md")
	if err != nil {
		t.Fatal(err)
	}
	sections := map[string]string{}
	for _, section := range strings.Split(string(text), "\n## ")[1:] {
		name, rest, _ := strings.Cut(section, "\n")
		for _, command := range strings.Split(name, ", ") {
			sections[command] = rest
		}
	}
	keys := 0
	for command, types := range map[string][]any{
		"train": {summary{}, kernelFacts{}, stage{}, stepped{}, round{}, minimal{}, iteration{}}, "predict": {scored{}, of(tally.Score{}, "Confusion"), of(tally.Score{}, "PerLabel")}, "cv": {validated{}, labelWeight{}}, "grid": {searched{}, gridPoint{}},
		"inspect": {facts.Data{}, of(facts.Data{}, "Columns"), of(facts.Data{}, "Labels"), of(facts.Data{}, "Targets"), modelFacts{}},
		"reduce":  {reductionReport{}, curvePoint{}},
		"export":  {exported{}},
		"check":   {fault{}}, "scale": {written{}}, "encode": {written{}}, "convert": {written{}}, "split": {divided{}},
	} {
		for _, v := range types {
			for _, key := range jsonKeys(reflect.TypeOf(v)) {
				keys++
				if section := sections[command]; !strings.Contains(section, "`"+key+"`") && !strings.Contains(section, `"`+key+`":`) {
					t.Errorf("docs/json.md, %s: no key %q", command, key)
				}
			}
		}
	}
	if keys < 50 {
		t.Errorf("%d keys", keys)
	}
}

// structOf returns the struct that an embedded one is, or points to.
func structOf(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer {
		return t.Elem()
	}
	return t
}

// of returns a value of what a field of v points to, or has a list of.
func of(v any, field string) any {
	f, ok := reflect.TypeOf(v).FieldByName(field)
	if !ok {
		panic("no field " + field)
	}
	return reflect.Zero(f.Type.Elem()).Interface()
}

func jsonKeys(t reflect.Type) []string {
	var keys []string
	for i := range t.NumField() {
		f := t.Field(i)
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" {
			keys = append(keys, name)
		} else if f.Anonymous {
			keys = append(keys, jsonKeys(structOf(f.Type))...)
		}
	}
	return keys
}

// TestRowsDocumented: docs/json.md has every key that inspect --json --rows prints.
func TestRowsDocumented(t *testing.T) {
	text, err := os.ReadFile("../../docs/json.md")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	const table = "@relation r\n@attribute n numeric {2}\n@attribute k {a,b}\n@attribute d date yyyy\n" +
		"@attribute b relational\n@attribute s string\n@end b\n@data\n1,a,1999,'x',{2}\n{1 b,3 'y'}\n"
	for name, rows := range map[string]string{"x.arff": table, "x.libsvm": "1 1:2\n"} {
		if err := os.WriteFile(name, []byte(rows), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	keys := map[string]bool{}
	var collect func(v any)
	collect = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, one := range v {
				collect(one)
			}
		case map[string]any:
			for key, one := range v {
				keys[key] = true
				collect(one)
			}
		}
	}
	for _, name := range []string{"x.arff", "x.libsvm"} {
		var v any
		if err := json.Unmarshal([]byte(command(t, "inspect --json --rows "+name)), &v); err != nil {
			t.Fatal(err)
		}
		collect(v)
	}
	for _, key := range []string{"type", "values", "format", "sparse", "weight", "ms", "text", "index"} {
		if !keys[key] {
			t.Errorf("no key %q in %v", key, keys)
		}
	}
	for key := range keys {
		if !strings.Contains(string(text), "`"+key+"`") && !strings.Contains(string(text), `"`+key+`":`) {
			t.Errorf("docs/json.md: no key %q", key)
		}
	}
}
