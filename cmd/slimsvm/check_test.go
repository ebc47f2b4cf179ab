package main

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
)

// TestCheckCSV: the faults of tables whose cells span lines, whose lines end with
// carriage returns or of which no line is good.
func TestCheckCSV(t *testing.T) {
	const (
		few  = "the line ends after 1 cell, expected 2 as in the first"
		open = "the quote that opens here is not closed"
		utf8 = "the text is not UTF-8: found the byte "
		nul  = "unexpected NUL byte: expected a text in UTF-8"
	)
	many := func(cell string) string {
		return fmt.Sprintf("cell 3 is one too many: expected 2 as in the first line, found %q", cell)
	}
	comma := func(cell string) string {
		return fmt.Sprintf("the number %q has a comma: expected a decimal point, and nothing between thousands", cell)
	}
	behind := func(text string) string {
		return fmt.Sprintf("expected ',' or the end of the line behind the closing quote, found %q", text)
	}
	for _, c := range []struct {
		text string
		want []string
	}{
		// the row goes on to the line of its fault
		{"a,b\n1,2\n\"x\ny\",2,3\n4,5\n", []string{"4:6: " + many("3")}},
		{"a,b\n1,2\n\"p\nq\"r,5\n4,5\n", []string{"4:3: " + behind("r,5")}},
		{"a,b\n1,2\n\"x\n\",2,3\n4,5\n6\n", []string{"4:5: " + many("3"), "6:2: " + few}},
		{"a,b\n1,2\n\"x\nhello, world, foo\ny\",2,3\n4,5\n6\n", []string{"5:6: " + many("3"), "7:2: " + few}},
		{"a,b\n1,2\n\"x\ny\",\"x\ny\",5\n4,5\n6\n", []string{"5:4: " + many("5"), "7:2: " + few}},
		// or behind it
		{"a,b\n1,2\n1,2,\"x\ny\"\n4,5\n6\n", []string{"3:5: " + many("x\ny"), "6:2: " + few}},
		{"a;b\n1;2\n1;2;\"x\ny\"\n4;5\n6\n", []string{"3:5: " + many("x\ny"), "6:2: " + few}},
		{"a|b\n1|2\n1,5|2|\"x,1,2\ny\"\n4|5\n6\n", []string{"3:7: " + many("x,1,2\ny"), "6:2: " + few}},
		// a quote that is not closed
		{"a,b\n1,2\n\"x,2\n3,4\n\"y\",5\n4,5,6\n", []string{"3:1: " + open, "6:5: " + many("6")}},
		{"a,b\n1,2\n\"x,2\n3,\"y\"z\n4\n", []string{"3:1: " + open, "4:6: " + behind("z"), "5:2: " + few}},
		{"a;\"b\np,q;r,s\nt,u;v,w\nx;y;z\n", []string{"1:3: " + open, "4:5: " + many("z")}}, // without line 1 commas would separate
		{"a,\"b\n", []string{"1:3: " + open}},
		{"a,\"b\nc\"d\n", []string{"2:3: " + behind("d")}},
		// bytes that no text has, in a cell that spans lines
		{"a,b\n\"x\n\xfe\",3\n", []string{"3:1: " + utf8 + "0xfe"}},
		{"a,b\n\"x\n\x00\",3\n4\n", []string{"3:1: " + nul, "4:2: " + few}},
		{"a,b\n\"x\xfe\ny\",3\n4\n", []string{"2:3: " + utf8 + "0xfe", "4:2: " + few}},
		{"a,b\n1,2\n\"x\n\ny\xff\nz\",3\n4\n", []string{"5:2: " + utf8 + "0xff", "7:2: " + few}},
		{"a,b\n1,2\n\"x\n\xfe\n3,4\n", []string{"3:1: " + open, "4:1: " + utf8 + "0xfe"}}, // the quote opens before it
		{"a,b\r\"x\r\xfe\",3\r4\r", []string{"3:1: " + utf8 + "0xfe", "4:2: " + few}},
		// line ends
		{"a,b\r1,2\r3\r4,5,6\r", []string{"3:2: " + few, "4:5: " + many("6")}},
		{"a,b\r1,2\r\"x\ry\",2,3\r3\r4,5,6\r", []string{"4:6: " + many("3"), "5:2: " + few, "6:5: " + many("6")}},
		{"a,b\r\n1,2\r\n3\r\n4,5,6\r\n", []string{"3:2: " + few, "4:5: " + many("6")}},
		// what columns hold is what all rows tell that have no fault
		{"a;b\n1e999;2\n3\nx;4\n", []string{"3:2: " + few}},
		{"a;b;c\n1,500;2;x\n3;4;y\n5;6\n", []string{"2:1: " + comma("1,500"), "4:4: the line ends after 2 cells, expected 3 as in the first"}},
		// without the rows that have one, others may have one
		{"a;b\n1,500;x\n3;4\n5;2,500\n", []string{"2:1: " + comma("1,500"), "4:3: " + comma("2,500")}},
		// as those of the whole file are, where the lines before a quote that is not closed would tell otherwise
		{"a,b\n1,2\n1,\"1,5\"\nx,\"\n,y\n\"a\nb\",z\n", []string{"4:3: " + open}},
		{"", []string{" there is no line, expected names or a row"}},
		{"\n\n", []string{" there is no line, expected names or a row"}},
	} {
		var stdout, stderr bytes.Buffer
		run(context.Background(), []string{"check", "--from", "csv", "-"}, strings.NewReader(c.text), &stdout, &stderr)
		var got []string
		for line := range strings.Lines(stdout.String()) {
			if fault, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "standard input:"); ok {
				got = append(got, fault)
			}
		}
		if strings.Join(got, "\n") != strings.Join(c.want, "\n") {
			t.Errorf("%q:\n%s\nwant\n%s", c.text, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
}

// TestCheckMost: more faults are mentioned only if there are more.
func TestCheckMost(t *testing.T) {
	for _, from := range []struct{ name, text string }{
		{"csv", "a,b\n1\n2,3\n4\n"},
		{"libsvm", "1 1:x\n1 1:2\n1 2:y\n"},
		{"arff", "@relation r\n@attribute x numeric\n@data\nx\n1\ny\n"},
	} {
		for most, more := range map[string]bool{"0": false, "1": true, "2": false, "3": false} {
			var stdout, stderr bytes.Buffer
			status := run(context.Background(), []string{"check", "--from", from.name, "--max", most, "-"}, strings.NewReader(from.text), &stdout, &stderr)
			if status != 1 || strings.Contains(stdout.String(), "more faults") != more {
				t.Errorf("%s, --max %s: status %d\n%s", from.name, most, status, &stdout)
			}
		}
	}
	if status, _, stderr := slimsvm(t, "check --max -1 a.arff"); status != 2 {
		t.Errorf("--max -1: status %d, %s", status, stderr)
	}
}

// TestQuotedIn: of a message the text that was found.
func TestQuotedIn(t *testing.T) {
	for message, want := range map[string]string{
		`expected a number as value of feature 1, found "x"`:                                "x",
		`expected a label of attribute "colour" ("green", "red"), found "purple"...`:        "purple",
		`expected a value of attribute "kind", found the end of the line: 2 values of 3`:    "",
		`the label's column "kind" is text`:                                                 "kind",
		`unexpected '"' inside the cell "x\"y": expected quotes around the cell`:            `x"y`,
		`expected ',' or the end of the line behind the closing quote, found "r,5"`:         "r,5",
		`expected a blank or a comma, found "x": a quote is written \' or \" inside quotes`: "x",
		`expected a closing quote in this line behind "'green,pear"`:                        "'green,pear",
		`column "found x": two labels "a"`:                                                  "a",
		`text is not UTF-8: found the byte 0xff`:                                            "",
		`feature index 1 does not follow 2: indices must increase`:                          "",
		`expected "% class N", found "\xff"`:                                                "\xff",
		`column "it's \"found 'x'": the quote " is left open, and so is '`:                  `it's "found 'x'`,
	} {
		if got := quotedIn(message); got != want {
			t.Errorf("%s: %q, want %q", message, got, want)
		}
	}
}
