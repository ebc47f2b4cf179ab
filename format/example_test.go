package format_test

import (
	"bufio"
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/slimsvm/slimsvm/arff"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/csvfmt"
	"github.com/slimsvm/slimsvm/libsvmfmt"
)

// load reads a file of any format, plain or packed.
func load(ctx context.Context, path string) (*format.Dataset, error) {
	file, err := format.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text := bufio.NewReader(file)
	head, _ := text.Peek(512) // a short file is no fault
	codecs := []format.Codec{arff.Codec, libsvmfmt.Codec, libsvmfmt.SVMLight, csvfmt.Codec, csvfmt.TSV}
	codec, ok := format.Detect(path, head, codecs)
	if !ok {
		return nil, fmt.Errorf("%s: a format that is not known", path)
	}
	d, err := codec.Parse(ctx, text)
	return d, format.WithPath(err, path)
}

// The file's name and first bytes decide the format. If a format declares columns, package encode
// makes features of its rows.
func ExampleDetect() {
	ctx := context.Background()
	folder, err := os.MkdirTemp("", "slimsvm")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	for name, text := range map[string]string{
		"rows.gz":   "+1 1:0.5 3:2\n-1 2:1\n",
		"table.csv": "height,colour\n4,red\n2,blue\n1,red\n",
	} {
		out, err := format.Create(ctx, filepath.Join(folder, name)) // packed by .gz
		if err != nil {
			log.Fatal(err)
		}
		fmt.Fprint(out, text)
		if err := out.Close(); err != nil { // or the file is not there
			log.Fatal(err)
		}
	}
	for _, name := range []string{"rows.gz", "table.csv"} {
		d, err := load(ctx, filepath.Join(folder, name))
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(name, d.Len(), "rows, encode them first:", d.Header.CheckFeatures() != nil)
	}
	// Output:
	// rows.gz 2 rows, encode them first: false
	// table.csv 3 rows, encode them first: true
}
