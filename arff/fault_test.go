package arff

import (
	"errors"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format"
)

// unmark takes the § out of a text and returns the line and column of the byte
// that it stands before. LF, CR LF and CR end lines.
func unmark(t *testing.T, marked string) (text string, line, column int) {
	t.Helper()
	before, after, ok := strings.Cut(marked, "§")
	if !ok || strings.Contains(after, "§") {
		t.Fatalf("%q has not one mark", marked)
	}
	ends := strings.ReplaceAll(strings.ReplaceAll(before, "\r\n", "\n"), "\r", "\n")
	return before + after, strings.Count(ends, "\n") + 1, len(ends) - strings.LastIndexByte(ends, '\n')
}

const (
	numbers = "@relation r\n@attribute a numeric\n@attribute b numeric\n@data\n"
	texts   = "@relation r\n@attribute s string\n@attribute t string\n@data\n"
	mixed   = "@relation r\n@attribute n numeric\n@attribute c {yes,no}\n@attribute d date yyyy-MM-dd\n@attribute s string\n@data\n"
	bags    = "@relation r\n@attribute n numeric\n@attribute bag relational\n@attribute x numeric\n@attribute s string\n@end bag\n@data\n"
)

// Every kind of fault, its place and its message. weka: Weka passes over it.
func TestFaults(t *testing.T) {
	for _, tt := range []struct {
		text, fault string
		weka        bool
	}{
		// the header
		{"§", "expected @relation, found the end of the file", false},
		{"\n\n§", "expected @relation, found the end of the file", false},
		{"% nothing\n§", "expected @relation, found the end of the file", false},
		{"% nothing§", "expected @relation, found the end of the file", false},
		{"§1 1:2\n", `expected @relation, found "1"`, false},
		{"\xef\xbb\xbf@relation a §b\n", `expected the end of the line: a name with blanks is quoted, found "b"`, false},
		{"\xef\xbb\xbf§1 1:2\n", `expected @relation, found "1"`, false},
		{"\xef\xbb\xbf % c\n§", "expected @relation, found the end of the file", false},
		{"\xef\xbb\xbf§", "expected @relation, found the end of the file", false},
		{"§{\n", `expected @relation, found "{"`, false},
		{" , §@attribute a numeric\n", `expected @relation, found "@attribute"`, false},
		{"§\xff\xfe@\x00", "the text is UTF-16, expected UTF-8", false},
		{"§\xfe\xff\x00@", "the text is UTF-16, expected UTF-8", false},
		{"§\xff\xfe\x00\x00@\x00\x00\x00", "the text is UTF-32, expected UTF-8", false},
		{"§\x00\x00\xfe\xff\x00\x00\x00@", "the text is UTF-32, expected UTF-8", false},
		{"@relation§\n", "expected the name of the relation, found the end of the line", false},
		{"@relation §% name\n", "expected the name of the relation, found the end of the line", false},
		{"@relation §{}\n", `expected the name of the relation, found "{"`, false},
		{"@relation my §data\n", `expected the end of the line: a name with blanks is quoted, found "data"`, false},
		{"@relation §'r\n", `expected a closing quote in this line behind "'r"`, true},
		{"@relation §'r\\\n'\n", `expected a closing quote in this line behind "'r\\"`, true},
		{"@relation §'r", `expected a closing quote in this line behind "'r"`, true},
		{"@relation caf§\xe9\n", `text is not UTF-8: "\xe9"`, true},
		{"@relation r\n§@dat\n", `expected @attribute or @data, found "@dat"`, false},
		{"@relation r\n§@relation r\n", `expected @attribute or @data, found "@relation"`, false},
		{"@relation r\n§@data\n", `expected @attribute before @data, found "@data"`, false},
		{"@relation r\n@attribute a numeric§", "expected @data, found the end of the file", false},
		{"@relation r\n@attribute a numeric\n§", "expected @data, found the end of the file", false},
		{"@relation r\n@attribute a numeric\r\n§", "expected @data, found the end of the file", false},
		{"@relation r\r@attribute a numeric\r§", "expected @data, found the end of the file", false},
		{"@relation r\n§", "expected @attribute, found the end of the file", false},
		{"@relation r\n@attribute a numeric\n§1,2\n", `expected @attribute or @data, found "1"`, false},
		{"@relation r\n@attribute§\n", "expected the name of an attribute, found the end of the line", false},
		{"@relation r\n@attribute §{x}\n", `expected the name of an attribute, found "{"`, false},
		{"@relation r\n§@attributex numeric\n", `expected @attribute or @data, found "@attributex"`, false},
		{"@relation r\n@attribute a§\n", "expected a type: numeric, real, integer, string, date, relational or labels in braces, found the end of the line", false},
		{"@relation r\n@attribute a §float\n", `or labels in braces, found "float"`, false},
		{"@relation r\n@attribute a §?\n", `or labels in braces, found "?"`, false},
		{"@relation r\n@attribute a §x,y}\n", `or labels in braces, found "x"`, false},
		{"@relation r\n@attribute a numeric\n@attribute §a string\n", `attribute "a" is declared in line 2 already`, false},
		{"@relation r\n@attribute a {x,y,§x}\n", `attribute "a" has the label "x" already`, false},
		{"@relation r\n@attribute a {x,§\ny}\n", "expected a label or a closing brace, found the end of the line", false},
		{"@relation r\n@attribute a {x,y§", "expected a label or a closing brace, found the end of the line", false},
		{"@relation r\n@attribute a {x,§{y}}\n", `expected a label or a closing brace; a brace in a label is quoted, found "{"`, false},
		{"@relation r\n@attribute a {x,§'y}\n", `expected a closing quote in this line behind "'y}"`, true},
		{"@relation r\n@attribute a {x§'y'}\n", `expected a blank or a comma, found "'y'"`, true},
		{"@relation r\n@attribute a {'x'§'y'}\n", `expected a blank or a comma, found "'y'"`, true},
		{"@relation r\n@attribute a {'x'§y}\n", `expected a blank or a comma, found "y"`, true},
		{"@relation r\n@attribute a§'numeric'\n", `expected a blank or a comma, found "'numeric'"`, true},
		{"@relation r\n@attribute a {x} §y\n", `expected the end of the line after the type of attribute "a", found "y"`, true},
		{"@relation r\n@attribute a numeric {§x}\n", `expected a number as weight, found "x"`, false},
		{"@relation r\n@attribute a {x} {§NaN}\n", `expected a number as weight, found "NaN"`, false},
		{"@relation r\n@attribute a numeric {§}\n", `expected a weight, found "}"`, false},
		{"@relation r\n@attribute a numeric {2§\n", "expected a closing brace after the weight, found the end of the line", false},
		{"@relation r\n@attribute a numeric {§0}\n", `the weight of attribute "a" is 0`, false},
		{"@relation r\n@attribute a numeric {2} §x\n", `expected the end of the line after the type of attribute "a", found "x"`, true},
		{"@relation r\n@attribute a date §yyyy-bbb\n", `date pattern "yyyy-bbb": letter 'b' has no meaning; text is quoted`, false},
		{"@relation r\n@attribute a date §\"yyyy'T\"\n", `date pattern "yyyy'T": a quote is not closed`, false},
		{"@relation r\n@attribute a date §XXXX\n", `date pattern "XXXX": 4 times X, expected 1 to 3`, false},
		{"@relation r\n@attribute a date yyyy-MM-dd §HH:mm\n", `expected the end of the line after the date pattern "yyyy-MM-dd", found "HH:mm": a pattern with blanks is quoted`, true},
		{"@relation r\n@attribute a date yyyy-MM-dd§'T'HH:mm\n", `expected a blank or a comma, found "'T'"`, true},
		{"@relation r\n@attribute a§\xe9\n", `text is not UTF-8: "\xe9"`, true},
		{"@relation r\n@attribute a §'numeric\n", `expected a closing quote in this line behind "'numeric"`, true},
		{"@relation r\n@attribute a {x} §'y\n", `expected a closing quote in this line behind "'y"`, true},
		{"@relation r\n@attribute a numeric {2} §'y\n", `expected a closing quote in this line behind "'y"`, true},
		{"@relation r\n@attribute a numeric {§'2}\n", `expected a closing quote in this line behind "'2}"`, true},
		{"@relation r\n@attribute a date §'yyyy\n", `expected a closing quote in this line behind "'yyyy"`, true},
		{"@relation r\n@attribute a date §\xe9yyyy\n", `text is not UTF-8: "\xe9yyy"`, true},
		{"@relation r\n@attribute a date yyyy §'x\n", `expected a closing quote in this line behind "'x"`, true},
		{"@relation r\n@attribute b relational §'x\n", `expected a closing quote in this line behind "'x"`, true},
		{"@relation r\n@attribute b relational §x\n", `expected the end of the line after the type of attribute "b", found "x"`, true},
		{"@relation r\n@attribute b relational\n@attribute x numeric\n§", `expected @end "b", found the end of the file`, false},
		{"@relation r\n@attribute b relational\n@attribute x numeric\n@end §sack\n", `expected @end "b", which line 2 begins, found "sack"`, false},
		{"@relation r\n@attribute b relational\n@attribute x numeric\n@end§\n", `expected the name "b", found the end of the line`, false},
		{"@relation r\n@attribute b relational\n@attribute x numeric\n@end b §b\n", `expected the end of the line, found "b"`, false},
		{"@relation r\n@attribute b relational\n@attribute x numeric\n§@data\n", `expected @attribute or @end "b", found "@data"`, false},
		{"@relation r\n@attribute b relational\n@attribute x numeric\n@attribute §x numeric\n", `attribute "x" is declared in line 3 already`, false},
		{"@relation r\n@attribute b relational\n@attribute x numeric\n@end b\n@attribute §b numeric\n", `attribute "b" is declared in line 2 already`, false},
		{"@relation r\n@attribute a numeric\n@data §1\n", `expected the end of the line after @data, found "1"`, true},

		// dense rows
		{numbers + "1§\n", `expected a value of attribute "b", found the end of the line: 1 value of 2`, false},
		{numbers + "1,§% 2\n", `expected a value of attribute "b", found the end of the line: 1 value of 2`, false},
		{numbers + "1,§", `expected a value of attribute "b", found the end of the line: 1 value of 2`, false},
		{numbers + "1,2\n\n3,§x\n", `expected a number for attribute "b", found "x"`, false},
		{numbers + "1,2\r\n\r3,§x\n", `expected a number for attribute "b", found "x"`, false},
		{numbers + "1,§''\n", `expected a number for attribute "b", found "''": a missing value is a ?`, false},
		{numbers + "1,§nan\n", `expected a number for attribute "b", found "nan": a missing value is a ?`, false},
		{numbers + "§N/A,1\n", `expected a number for attribute "a", found "N/A": a missing value is a ?`, false},
		{numbers + "§1;2\n", `expected a number for attribute "a", found "1;2": commas or blanks stand between values`, false},
		{"@relation r\n@attribute my §own numeric\n", `or labels in braces, found "own": a name with blanks is quoted`, false},
		{numbers + "1,§'1,5'\n", `expected a number for attribute "b", found "'1,5'"`, false},
		{numbers + "§'?',2\n", `expected a number for attribute "a", found "'?'": a missing value is a ? without quotes`, false},
		{numbers + "1,§0x10\n", `expected a number for attribute "b", found "0x10"`, false},
		{numbers + "1,§inf\n", `expected a number for attribute "b", found "inf"`, false},
		{numbers + "1,§1e\n", `expected a number for attribute "b", found "1e"`, false},
		{numbers + "1,§" + strings.Repeat("x", 100) + "\n", `found "` + strings.Repeat("x", 40) + `"...`, false},
		{numbers + "1,§{2}\n", `expected a value of attribute "b", found "{"`, false},
		{numbers + "§}\n", `expected a value of attribute "a", found "}"`, false},
		{numbers + "1,2,§3\n", `expected the end of the row after 2 values, found "3"`, true},
		{numbers + "1 2 §?\n", `expected the end of the row after 2 values, found "?"`, true},
		{numbers + "1,2§}\n", `expected the end of the row after 2 values, found "}"`, true},
		{numbers + "1,§,2\n", "expected a value, found a comma; a missing value is a ?", true},
		{numbers + "1, §, 2\n", "expected a value, found a comma; a missing value is a ?", true},
		{numbers + "§,1,2\n", "expected a value, found a comma; a missing value is a ?", true},
		{numbers + "§,1,2" + strings.Repeat(" ", 30) + "\n", "expected a value, found a comma; a missing value is a ?", true},
		{numbers + " §,\n", "expected a value, found a comma; a missing value is a ?", true},
		{numbers + "1,2,§,\n", "expected a value, found a comma; a missing value is a ?", true},
		{numbers + "1,2,§,{3}\n", "expected a value, found a comma; a missing value is a ?", true},
		{numbers + "1,2,{3},§,\n", "expected a value, found a comma; a missing value is a ?", true},
		{numbers + "1,2,{§x}\n", `expected a number as weight, found "x"`, true},
		{numbers + "1,2,{§NaN}\n", `expected a number as weight, found "NaN"`, true},
		{numbers + "1,2,{§}\n", `expected a weight, found "}"`, false},
		{numbers + "1,2,{3§\n", "expected a closing brace after the weight, found the end of the line", false},
		{numbers + "1,2,{3 §4}\n", `expected a closing brace after the weight, found "4"`, false},
		{numbers + "1,2,{3},§4\n", `expected the end of the line after the weight, found "4"`, false},
		{numbers + "1,2,{3},§{4}\n", `expected the end of the line after the weight, found "{"`, false},
		{numbers + "1,2,{3} §'x\n", `expected a closing quote in this line behind "'x"`, true},
		{numbers + "1,2,{§'3}\n", `expected a closing quote in this line behind "'3}"`, true},
		{numbers + "1,2,{§\xe9}\n", `text is not UTF-8: "\xe9"`, true},
		{numbers + "§@attribute c numeric\n", `expected a row, found "@attribute": attributes stand before @data`, true},
		{texts + "§@ATTRIBUTE c\n", `expected a row, found "@ATTRIBUTE": attributes stand before @data`, true},
		{texts + "it§'s,x\n", `expected a closing quote in this line behind "'s,x": a quote is written \' or \" inside quotes`, true},
		{texts + "ab§'cd'\n", `expected a blank or a comma, found "'cd'": a quote is written \' or \" inside quotes`, true},
		{texts + "'ab'§cd\n", `expected a blank or a comma, found "cd": a quote is written \' or \" inside quotes`, true},
		{texts + "'it'§'s',x\n", `expected a blank or a comma, found "'s'"`, true},
		{numbers + "'1'§2\n", `expected a blank or a comma, found "2"`, true},
		{mixed + "'1'§no,?,?\n", `expected a blank or a comma, found "no"`, true},
		{texts + "a,'b'§c\n", `expected a blank or a comma, found "c"`, true},
		{texts + "x,§'abc\n'd',e\n", `expected a closing quote in this line behind "'abc"`, true},
		{texts + "x,§'abc\\'\n", `expected a closing quote in this line behind "'abc\\'"`, true},
		{texts + "x,§\"a'\n", `expected a closing quote in this line behind "\"a'"`, true},
		{texts + "x,'a\\tb§\xe9'\n", `text is not UTF-8: "\xe9"`, true},
		{texts + "x,§\xed\xa0\x80\n", `text is not UTF-8: "\xed\xa0\x80"`, true},
		{mixed + "1,§maybe,?,?\n", `expected a label of attribute "c" ("yes", "no"), found "maybe"`, false},
		{mixed + "1,§YES,?,?\n", `expected a label of attribute "c" ("yes", "no"), found "YES": "yes" differs in capitals or blanks only`, false},
		{mixed + "1,§' no',?,?\n", `expected a label of attribute "c" ("yes", "no"), found " no": "no" differs in capitals or blanks only`, false},
		{mixed + "1,§' yes',?,?\n", `expected a label of attribute "c" ("yes", "no"), found " yes"`, false},
		{mixed + "1,§'?',?,?\n", `expected a label of attribute "c" ("yes", "no"), found "?": a missing value is a ? without quotes`, false},
		{mixed + "1,n§\xe9,?,?\n", `text is not UTF-8: "\xe9"`, true},
		{mixed + "1,no,§2001-02-30,?\n", `expected a date like "yyyy-MM-dd" for attribute "d", found "2001-02-30": there is no such date`, false},
		{mixed + "1,no,§03/04/2001,?\n", `expected a date like "yyyy-MM-dd" for attribute "d", found "03/04/2001"`, false},
		{mixed + "1,no,§2001-02-28x,?\n", `expected a date like "yyyy-MM-dd" for attribute "d", found "x" behind it`, true},
		{mixed + "1,no,§'?',x\n", `expected a date like "yyyy-MM-dd" for attribute "d", found "?": a missing value is a ? without quotes`, false},
		{mixed + "1,no,§NA,x\n", `expected a date like "yyyy-MM-dd" for attribute "d", found "NA": a missing value is a ?`, false},
		{"@relation r\n@attribute d date ''\n@data\n§''\n", `expected a date like "" for attribute "d", found "": a missing value is a ?`, false},
		{"@relation r\n@attribute a {}\n@data\n§x\n", `attribute "a" has no labels, found "x"`, false},

		// sparse rows
		{numbers + "{0 1§\n", "expected a closing brace, found the end of the line", false},
		{numbers + "{0 §\n", `expected a value of attribute "a", found the end of the line`, false},
		{numbers + "{0§\n", `expected a value of attribute "a", found the end of the line`, false},
		{numbers + "{0 1, 1§}\n", `expected a value of attribute "b", found "}"`, false},
		{numbers + "{0 §{1}}\n", `expected a value of attribute "a", found "{"`, false},
		{numbers + "{§{0 1}}\n", `expected an index, found "{"`, false},
		{numbers + "{§1.0 5}\n", `expected an index, found "1.0"`, false},
		{numbers + "{§0:1, 1:2}\n", `expected an index, found "0:1"`, false},
		{numbers + "{§' 0' 1}\n", `expected an index, found "' 0'"`, false},
		{numbers + "{§? 1}\n", `expected an index, found "?"`, false},
		{numbers + "{§-1 5}\n", `index "-1" is negative: the first attribute has index 0`, false},
		{numbers + "{0 1,§2 5}\n", `index "2" is too large: there are 2 attributes, the first has index 0`, false},
		{"@relation r\n@attribute a numeric\n@data\n{§1 5}\n", `index "1" is too large: there is 1 attribute, the first has index 0`, false},
		{numbers + "{§99999999999999999999 5}\n", `index "99999999999999999999" is too large`, false},
		{numbers + "{1 5, §0 3}\n", "index 0 follows 1: indices must increase", false},
		{numbers + "{1 5, §1 3}\n", "index 1 follows 1: indices must increase", false},
		{numbers + "{0 §x}\n", `expected a number for attribute "a", found "x"`, false},
		{numbers + "{0 1} §junk\n", `expected the end of the row or a weight in braces, found "junk"`, true},
		{numbers + "{0 1}§}\n", `expected the end of the row or a weight in braces, found "}"`, true},
		{numbers + "{0 1},§,\n", "expected a value, found a comma; a missing value is a ?", true},
		{numbers + "§,{0 1}\n", "expected a value, found a comma; a missing value is a ?", true},
		{texts + "{0 a,1§'b'}\n", `expected a blank or a comma, found "'b'"`, true},
		{texts + "{0 'a'§1 b}\n", `expected a blank or a comma, found "1"`, true},
		{texts + "{0 a,1 b}\n§{1 b}\n", `the row leaves out attribute "s" with index 0: what is left out is 0, and that is no string`, true},
		{bags + "1,?\n§{0 1}\n", `the row leaves out attribute "bag" with index 1: what is left out is 0, and that is no relational`, true},

		// relations
		{bags + "1,'1,a\\n§x,b'\n", `in relation "bag": expected a number for attribute "x", found "x"`, false},
		{bags + "1,'1,a\\n2§'\n", `in relation "bag": expected a value of attribute "s", found the end of the line: 1 value of 2`, false},
		{bags + "1,'1,a\\n2§\\n3,c'\n", `in relation "bag": expected a value of attribute "s", found the end of the line`, false},
		{bags + "1,\"1,'\\\\\\\\'\\n2,\\'b\\',§3\"\n", `in relation "bag": expected the end of the row after 2 values, found "3"`, true},
		{bags + "1,'1,§\\'a'\n", `in relation "bag": expected a closing quote in this line behind "'a"`, true},
		{bags + "1,1§,a\n", `in relation "bag": expected a value of attribute "s", found the end of the line: 1 value of 2`, false},
		{bags + "1,'1,a\\n§{0 1}'\n", `in relation "bag": the row leaves out attribute "s"`, true},
	} {
		text, line, column := unmark(t, tt.text)
		_, err := readMeaning(NewReader(strings.NewReader(text)))
		e, ok := err.(*format.Error)
		if !ok {
			t.Errorf("%q: %v, want a fault", tt.text, err)
			continue
		}
		if e.Line != line || e.Column != column || !strings.Contains(e.Err.Error(), tt.fault) {
			t.Errorf("%q:\n%v, want\n%d:%d: %s", tt.text, err, line, column, tt.fault)
		}
		if errors.Is(err, ErrStrict) != tt.weka {
			t.Errorf("%q: %v is an ErrStrict: %v", tt.text, err, !tt.weka)
		}
		if tt.weka {
			r := NewReader(strings.NewReader(text))
			r.Weka = true
			if _, again := readMeaning(r); again != nil && again.Error() == err.Error() {
				t.Errorf("%q: as Weka reads: %v", tt.text, again)
			}
		}
		if len(err.Error()) > 300 {
			t.Errorf("%q: message of %d bytes", tt.text, len(err.Error()))
		}
	}
}
