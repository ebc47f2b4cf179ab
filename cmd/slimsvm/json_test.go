package main

import (
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/jsonline"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/tally"
	"github.com/slimsvm/slimsvm/format"
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
		"inspect": {dataFacts{}, column{}, labelled{}, span{}, modelFacts{}, dumpedRow{}, dumpedAttribute{}, dumpedDate{}},
		"reduce":  {reduction{}, sized{}},
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

// TestDensityOfMany: the density of more values than an int of 32 bits counts.
func TestDensityOfMany(t *testing.T) {
	f := dataFacts{Rows: 1 << 17, nonzero: 1 << 24}
	f.used.n = 1 << 16
	f.finish(&format.Header{}, -1)
	if want := jsonline.Number(1.0 / 512); f.Density != want {
		t.Errorf("features: %v, want %v", f.Density, want)
	}
	f = dataFacts{Rows: 1 << 30, Columns: make([]column, 6)}
	for i := range f.Columns {
		f.Columns[i].Nonzero, f.Columns[i].listed = 1<<29, 1<<30
	}
	f.finish(&format.Header{Attributes: make([]format.Attribute, 6)}, -1)
	if want := jsonline.Number(0.5); f.Density != want {
		t.Errorf("columns: %v, want %v", f.Density, want)
	}
}
