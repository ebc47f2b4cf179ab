package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// planted are files with a fault in every line that a mark behind it names: <<N is
// the column of the fault, <<N TEXT also the text that it quotes.
var planted = map[string][]string{
	"bad.arff": {
		"@relation r",
		"@attribute a numeric",
		"@attribute b {x,y,x}<<19 x",
		"@attribute a numeric<<12 a",
		"@attribute d date yyyy-MM-dd",
		"@attribute s string",
		"@attribute n {p,q}",
		"@data",
		"1,x,0,2001-01-01,t,p",
		"1o,x,0,?,t,p<<1 1o",
		"1,x,0,2001-02-30,t,p<<7 2001-02-30",
		"1,,0,?,t,p<<3",
		"1,x,0,?,t,p,7<<13 7",
		"1,x,0,?,'t,p<<9 't,p",
		"{0 1,0 2}<<6",
		"{9 1}<<2 9",
		"1,x,0<<6",
		"1,x,0,?,t,Q<<11 Q",
		"1,x,0,?,t,p",
		"1,x,0,?,t,p,{w}<<14 w",
	},
	"bad.libsvm": {
		"1 1:1 2:2",
		"<<1",
		"foo 1:1<<1 foo",
		"1 2:1 1:3<<7",
		"1 -1:2<<3 -1",
		"1 99999999999:1<<3 99999999999",
		"1 1:x<<5 x",
		"1 1:nan<<5 nan",
		"1 1<<3 1",
		"1 1:2y 3:1<<5 2y",
		"1 1:1e-400<<5 1e-400",
		"1,5 1:1<<1 1,5",
		"1 1:1 2:2",
		"1 1:<<5",
	},
	"bad.svmlight": {
		"# a comment: with a colon",
		"1 1:1 2:2 # fine",
		"foo 1:1<<1 foo",
		"",
		"1 0:1<<3",
		"1 2:1 2:3<<7",
		"1 qid:x 1:1<<3 qid:x",
		"1 qid:3 1:1<<3 qid:3",
		"1 1:inf<<5 inf",
		"1 1:1 2<<7 2",
		"1 1=1<<3 1=1",
		"-1 4:0x<<6 0x",
		"1 3:2 99999999999:1<<7 99999999999",
		"1 1:1",
	},
	"bad.csv": {
		"a,b,c",
		"1,2,x",
		"1,2<<4",
		"1,2,3,4<<7 4",
		`1,"2,x<<3`,
		"1,2,x",
		`1,2,"x"y<<8 y`,
		`1,a"b,x<<4`,
		"1,2,x\xff<<6",
		"1,2,x",
		"1,1e999,x<<3 1e999",
		"1,2,\x00<<5",
		`"1,5",2,x<<1 1,5`,
		`1,2,"it""s"`,
		"1,2,\"two",
		"lines\"",
		"1,2,\"two",
		"lines\"",
		"1,2,x\ry<<6",
		"9,9,w",
	},
}

func TestPlantedFaults(t *testing.T) {
	for name, lines := range planted {
		var text strings.Builder
		var want []fault
		for i, line := range lines {
			line, mark, faulty := strings.Cut(line, "<<")
			text.WriteString(line + "\n")
			if !faulty {
				continue
			}
			column, quoted, _ := strings.Cut(mark, " ")
			n := 0
			for _, digit := range column {
				n = 10*n + int(digit-'0')
			}
			want = append(want, fault{Line: i + 1, Column: n, Quoted: quoted})
		}
		if len(want) < 10 {
			t.Fatalf("%s: %d faults", name, len(want))
		}
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(text.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		for _, source := range []string{path, "-"} {
			var stdout, stderr bytes.Buffer
			args := []string{"check", "--json", source}
			if source == "-" {
				args = append(args, "--from", strings.TrimPrefix(filepath.Ext(name), "."))
			}
			if status := run(context.Background(), args, strings.NewReader(text.String()), &stdout, &stderr); status != statusFailed {
				t.Errorf("%s: exit status %d", name, status)
			}
			k := 0
			for d := json.NewDecoder(&stdout); d.More(); k++ {
				var got fault
				if err := d.Decode(&got); err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				if k >= len(want) {
					t.Errorf("%s: one fault too many: %+v", name, got)
					continue
				}
				w := want[k]
				if got.Line != w.Line || got.Column != w.Column || w.Quoted != "" && got.Quoted != w.Quoted {
					t.Errorf("%s: fault %d is %+v, want %d:%d %q", name, k+1, got, w.Line, w.Column, w.Quoted)
				}
				if at := map[bool]string{true: "standard input", false: path}[source == "-"]; got.File != at || got.Message == "" {
					t.Errorf("%s: %+v", name, got)
				}
			}
			if k < len(want) {
				t.Errorf("%s: %d faults, want %d", name, k, len(want))
			}
		}
	}
}
