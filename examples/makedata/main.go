// Command makedata prints a generated data set in LIBSVM's format:
//
//	go run ./examples/makedata NAME ROWS SEED
//
// Without arguments it lists the sets.
package main

import (
	"fmt"
	"os"
	"strconv"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/generate"
	"github.com/slimsvm/slimsvm/libsvmfmt"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "makedata:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) == 0 {
		for _, s := range generate.All() {
			fmt.Printf("%s\n%s\n\n", s.Name, s.Doc)
		}
		return nil
	}
	if len(args) != 3 {
		return fmt.Errorf("%d words, expected NAME ROWS SEED, or none", len(args))
	}
	name, rowsText, seedText := args[0], args[1], args[2]
	set, ok := generate.Lookup(name)
	if !ok {
		return fmt.Errorf("no set %q", name)
	}
	rows, err := strconv.ParseUint(rowsText, 10, 31)
	if err != nil {
		return err
	}
	seed, err := strconv.ParseUint(seedText, 10, 64)
	if err != nil {
		return err
	}
	_, err = format.Copy(libsvmfmt.NewWriter(os.Stdout), set.Reader(int(rows), seed))
	return err
}
