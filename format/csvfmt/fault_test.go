package csvfmt_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/csvfmt"
)

// planted are the lines of a file with faults of many kinds, each marked by a §,
// between rows without any. A line stands for a record.
var planted = []struct{ line, fault string }{
	{"a,b,class", ""},
	{"1,2,yes", ""},
	{"2,3§", "the line ends after 2 cells, expected 3 as in the first"},
	{"3,4,no,§5", `cell 4 is one too many: expected 3 as in the first line, found "5"`},
	{"4,5,n§\"o", `unexpected '"' inside the cell "n\"o": expected quotes around the cell, and doubled inside`},
	{"5,6,\"no\" §x", `expected ',' or the end of the line behind the closing quote, found "x"`},
	{"6,7,n§\x00o", "unexpected NUL byte: expected a text in UTF-8"},
	{"", ""},
	{"7,8,n§\xe9", "the text is not UTF-8: found the byte 0xe9"},
	{"8,§1e999,no", `the number "1e999" is too large`},
	{"9,§\"1,5\",no", `the number "1,5" has a comma: expected a decimal point, and nothing between thousands`},
	{"10,11,n§\ro", "carriage return inside a line: expected quotes around the cell"},
	{"11,12,yes", ""},
	{"12,\"13\",\"a\nquoted, \"\"long\"\"\n cell §\x00\"", "unexpected NUL byte"},
	{"12,\"13\",\"a§\x00\nb\"", "unexpected NUL byte"},
	{"13,14,\"a\nb\",§c", "cell 4 is one too many"},
	{"14,15,§\"no", "the quote that opens here is not closed"},
}

// A reader stops at the first fault. All are found when each faulty record becomes
// a good one after it was told.
func TestPlantedFaults(t *testing.T) {
	for _, end := range []string{"\n", "\r\n"} {
		for mended := range planted {
			if planted[mended].fault == "" {
				continue
			}
			text, marks := "", ""
			for i, p := range planted {
				line := p.line
				if i < mended && p.fault != "" {
					line = "0,0,yes"
				}
				if i == mended {
					marks = text + line[:strings.Index(line, "§")]
				}
				text += strings.ReplaceAll(line, "§", "") + end
			}
			line := strings.Count(marks, "\n") + 1
			column := len(marks) - strings.LastIndexByte(marks, '\n')
			r := csvfmt.NewReader(strings.NewReader(text))
			var err error
			rows := 0
			for {
				if _, err = r.Read(); err != nil {
					break
				}
				rows++
			}
			e := (*format.Error)(nil)
			if !errors.As(err, &e) || e.Line != line || e.Column != column || !strings.Contains(e.Err.Error(), planted[mended].fault) {
				t.Errorf("line end %q: %v, want %d:%d: %s", end, err, line, column, planted[mended].fault)
			}
			want := 0
			for _, p := range planted[1:mended] {
				if p.line != "" {
					want++
				}
			}
			if rows != want {
				t.Errorf("line end %q: %d rows before %v, want %d", end, rows, err, want)
			}
			if _, again := r.Read(); again != err || again == io.EOF {
				t.Errorf("first %v, then %v", err, again)
			}
		}
	}
}
