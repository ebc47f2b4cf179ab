package main

import (
	"errors"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/arff"
	"github.com/slimsvm/slimsvm/cmd/internal/datafile"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/suggest"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/csvfmt"
	"github.com/slimsvm/slimsvm/format/encode"
	"github.com/slimsvm/slimsvm/libsvmfmt"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/psvm"
	"github.com/slimsvm/slimsvm/train/rsvm"
)

// hintsOfErrors are hints for faults that a kind of error tells.
var hintsOfErrors = []struct {
	kind error
	hint string
}{
	{libsvmfmt.ErrEmptyLine, "a row of zeros is its label alone; remove the line if there is no row"},
	{libsvmfmt.ErrQuery, "--drop-queries leaves query ids out"},
	{arff.ErrStrict, wekaHint},
	{rsvm.ErrTooLarge, "--vectors and --max-vectors ask for fewer vectors, --multiclass ovr for fewer machines; ssvm has all rows as vectors, rsvm some"},
	{psvm.ErrNumbers, "--method " + forNumbers + " predicts numbers"},
	{train.ErrRowWeights, "all methods but psvm and esvm count rows by their weights"},
	{datafile.ErrUnlabelled, "name the label's column with --class; the default is the last one"},
	{encode.ErrOverflow, "remove infinite values, or in CSV say --missing inf --missing=-inf, and they count as missing; write values that are too large in another unit"},
	{encode.ErrMissingColumn, "columns are found by name: is this the right file?"},
}

const wekaHint = "--weka reads it as Weka does, which may not be what was meant"

// notUTF8 are words of the fault of a text in another encoding, of which Weka makes one and the same
// letter of all that are not ASCII.
const notUTF8 = "UTF-8"

// labelsHint ends hints for commands with the option nominal.
const labelsHint = "; or let --" + nominal + " take the cells for labels"

// missingHint ends a hint where the fault does not say it.
const missingHint = "; a missing value is ?"

// hintsOfWords are hints for faults that only their words tell, in this order. Texts that they quote
// are not among these, nor is the file's name.
var hintsOfWords = []struct{ words, hint string }{
	{"the labels look like numbers", "--method epsilon-svr predicts numbers; name the label's column with --class; the default is the last one"},
	{"the first line holds names", "--header yes if it does, --header no if it is a row; --missing names words for missing values"},
	{"has a comma", "if fractions begin with a comma, say --decimal ,; else write 1.5 with a point, and 1234 without a mark between thousands" + labelsHint},
	{"has a point", "write 1,5 with a comma, and 1234 without a mark between thousands; --decimal . is for fractions that begin with a point" + labelsHint},
	{"UTF-32", "convert the text: iconv -f UTF-32 -t UTF-8"},
	{"UTF-16", "convert the text: iconv -f UTF-16LE -t UTF-8, or -f UTF-16BE if that gives other letters"},
	{notUTF8, "convert the text: iconv -f LATIN1 -t UTF-8, or -f UTF-16 for a UTF-16 text"},
	{"is not closed", "double a quote that belongs to the text, and close the cell"},
	{"indices must increase", "sort the features of the row, and list each once"},
	{"is not a finite number", "leave the feature out, or replace the value: there are no missing values in this format"},
	{"is too small for full precision", "write 0, or scale the feature up"},
	{"feature index 0", "features are numbered from 1 (in scikit-learn: dump_svmlight_file with zero_based=False); --from libsvm accepts feature 0, but no query ids and no comment lines"},
	{"expected a label of attribute", "declare the label in the header, or correct the value" + missingHint},
	{"has the label", "declare each label once"},
	{"is declared in line", "give each attribute a name of its own"},
	{"the names of the first line again", "remove the line"},
	{"another column has the name", "give each column a name of its own"},
	{"one too many: expected 1 as", "remove what stands above the table, a title or a comment; if the line holds names, --separator tells what stands between cells"},
	{"one too many", cellHint},
	{"the line ends after", cellHint},
	{"around the cell", cellHint},
	{"expected a value of attribute", "write ? for a missing value; put a text with blanks or commas in quotes"},
	{"the format holds finite numbers", "infinite values go into ARFF and CSV only"},
	{"has no weights", "ARFF keeps the weights of rows"},
	{"cannot hold tables", "ARFF holds them; --drop leaves the column out"},
	{"cannot hold the weight", "ARFF keeps the weights of rows, and convert --weights-to makes a column of them"},
}

// thousandsHint is for a number with both marks, one of which stands between thousands, whatever begins
// fractions.
const thousandsHint = "write 1234.5, or 1234,5 where all fractions begin with a comma, without a mark between thousands" + labelsHint

const cellHint = "put a cell that contains a separator in quotes"

// costMark begins the cost of a row, as some programs write it into LIBSVM files.
const costMark = "cost:"

// hintFor returns a hint for an error of a command, "" if there is none.
func hintFor(err error, command *cli.Command) string {
	hint := hintOfError(err)
	if !has(command, nominal) {
		hint = strings.TrimSuffix(hint, labelsHint)
	}
	return hint
}

// has reports whether a command has an option.
func has(command *cli.Command, option string) bool {
	return command != nil && slices.ContainsFunc(command.Flags, func(f cli.Flag) bool { return slices.Contains(f.Names(), option) })
}

// hintOfError returns a hint for an error, "" if there is none.
func hintOfError(err error) string {
	var h hinted
	if errors.As(err, &h) {
		return h.hint
	}
	if wrong := (usageError{}); errors.As(err, &wrong) {
		return "" // the words tell of a file's text
	}
	for _, r := range hintsOfErrors {
		if errors.Is(err, r.kind) && !(r.hint == wekaHint && strings.Contains(unquoted(err.Error()), notUTF8)) {
			return r.hint
		}
	}
	if file := (*datafile.NoTextError)(nil); errors.As(err, &file) {
		if file.Packed {
			return "unpack it, or save the table of a spreadsheet as CSV; gzip, zstd, bzip2 and xz are unpacked here"
		}
		return "save the table as CSV or ARFF, with the program that reads it"
	}
	if text := (*datafile.FormatMismatchError)(nil); errors.As(err, &text) {
		return "--from " + text.Format + " reads it so, --from csv reads it as a table"
	}
	if column := (*format.NoColumnError)(nil); errors.As(err, &column) {
		return suggest.Columns(column)
	}
	if cell := (*csvfmt.NotNumberError)(nil); errors.As(err, &cell) {
		return sayMissing(cell.Text)
	}
	return hintOfWords(err)
}

// hintOfWords returns a hint for an error whose words tell what is wrong with a text.
func hintOfWords(err error) string {
	if file := (*fs.PathError)(nil); errors.As(err, &file) {
		return "" // it is the file itself
	}
	for at := (*format.Error)(nil); errors.As(err, &at); at = nil {
		err = at.Err
	}
	if strings.HasPrefix(quotedIn(err.Error()), costMark) {
		return "the cost of a row has no place in this format: ARFF keeps the weights of rows, and --weight-file names a file of them"
	}
	text, quoted := unquoted(err.Error()), quotedIn(err.Error())
	if (strings.Contains(text, "has a comma") || strings.Contains(text, "has a point")) && strings.Contains(quoted, ",") && strings.Contains(quoted, ".") {
		return thousandsHint
	}
	for _, w := range hintsOfWords {
		if strings.Contains(text, w.words) {
			if w.hint == cellHint && (strings.HasPrefix(quoted, "'") || strings.HasSuffix(quoted, "'")) {
				return w.hint + "; " + sayQuote
			}
			if strings.Contains(text, "a missing value is a ?") {
				return strings.TrimSuffix(w.hint, missingHint)
			}
			return w.hint
		}
	}
	return ""
}

// unquoted returns a message without the texts that it quotes.
func unquoted(message string) string {
	var b strings.Builder
	for {
		i := strings.IndexAny(message, "\"'")
		if i < 0 {
			return b.String() + message
		}
		quoted, err := strconv.QuotedPrefix(message[i:])
		if err != nil { // an apostrophe
			quoted = message[i : i+1]
		}
		b.WriteString(message[:i])
		message = message[i+len(quoted):]
	}
}
