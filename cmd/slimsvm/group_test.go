package main

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/format"
)

// TestGroupFails: where data cannot take their name, names and ranges that were there stay,
// and none are left that were not.
func TestGroupFails(t *testing.T) {
	text := "% class 1\n@relation r\n\n@attribute k {a,b}\n\n@data\n"
	for _, c := range []struct {
		what  string
		kept  bool // the data have names
		file  string
		also  string
		taken string // a file whose name a folder has in the end; "": none
		was   []string
		stay  []string // of these
	}{
		{"names are replaced", true, "data.names", "", "data", []string{"data.names"}, []string{"data.names"}},
		{"names are new", true, "data.names", "", "data", nil, nil},
		{"names are removed", false, "data.names", "", "data", []string{"data.names"}, []string{"data.names"}},
		{"names elsewhere", true, "kept", "", "data", []string{"data.names", "kept"}, []string{"data.names", "kept"}},
		{"names fail", true, "kept", "", "kept", []string{"data", "data.names"}, []string{"data", "data.names"}},
		{"ranges", true, "data.names", "ranges", "data", []string{"ranges"}, []string{"ranges"}},
		{"ranges fail", true, "data.names", "ranges", "ranges", []string{"data", "data.names"}, []string{"data", "data.names"}},
		{"nothing fails", true, "kept", "ranges", "", []string{"data", "data.names", "ranges"}, []string{}},
	} {
		t.Run(c.what, func(t *testing.T) {
			t.Chdir(t.TempDir())
			for _, name := range c.was {
				if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			ctx := cli.NewContext(cli.NewApp(), flag.NewFlagSet("", flag.ContinueOnError), nil)
			ctx.Context = context.Background()
			create := func(path string) *format.Output {
				out, err := format.Create(ctx.Context, path)
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(out.Abort)
				return out
			}
			var said bytes.Buffer
			o := &dataOutput{Output: create("data"), warner: &warner{env: &env{stderr: &said}}, path: "data", file: c.file}
			if c.kept {
				o.kept = &names{header: &format.Header{Relation: "new", Attributes: []format.Attribute{{Name: "k"}}}}
			}
			if c.also != "" {
				o.also = append(o.also, create(c.also))
			}
			var g group
			if _, err := o.join(ctx, &g); err != nil {
				t.Fatal(err)
			}
			if c.taken != "" {
				if err := os.MkdirAll(filepath.Join(c.taken, "full"), 0o777); err != nil {
					t.Fatal(err)
				}
			}
			if err := g.close(); (err != nil) != (c.taken != "") || err != nil && said.Len() > 0 {
				t.Errorf("error %v, said %q", err, said.String())
			}
			g.abort()
			left, err := os.ReadDir(".")
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range c.stay {
				if got := read(t, name); got != text {
					t.Errorf("%s holds %q", name, got)
				}
			}
			want := len(c.stay) + 1
			if c.taken == "" {
				want = 3 // the data, names and ranges
			}
			if len(left) != want {
				t.Errorf("%v are left, want %d", left, want)
			}
		})
	}
}
