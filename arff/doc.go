// Package arff reads and writes ARFF, Weka's attribute-relation file format: a table whose columns
// are declared before its rows.
//
// [Parse] reads a whole data set: see its example. [NewReader] reads row by row in constant memory,
// also the texts and relations of rows, and [NewWriter] writes. [Codec] describes the format to
// programs that choose a format at run time. The rows that Parse and the Reader give are columns as
// declared, not features: package format/encode makes features of them.
//
// By default a text that Weka would misread is an error: see "Strict reading and Weka's" below.
//
// # Characters
//
// The text is UTF-8, with or without a byte order mark. (UTF-16 is converted by format.Open and
// format.OpenStream; for ISO 8859-1 see [Reader.Latin1].) A line ends with LF, CR LF or CR; the
// last line may have no end. A line is shorter than 1 GiB, unless it is a comment.
//
//	blank    = the characters 0x00 to 0x20 other than LF and CR, and the comma
//	comment  = "%" to the end of the line
//	word     = one or more characters that are neither blank nor one of % { } ' "
//	text     = word | "'" { char } "'" | '"' { char } '"'
//	char     = a character, except the quote, the backslash and line ends; or an escape
//	escape   = \n \r \t \b \f \a (7) \v (11); \ and one to three octal digits, of
//	           three the first at most 3; \ and any other character, which stands
//	           for itself
//
// Blanks only separate. A comment ends a word. Outside quotes a backslash is an ordinary character.
// Inside quotes only that kind of quote, the backslash and line ends are special. Keywords and
// types may be in any letter case and in quotes; in names and labels case matters.
//
// # Header
//
//	header    = "@relation" text EOL { attribute } "@data" EOL
//	attribute = "@attribute" text type [ "{" weight "}" ] EOL
//	type      = "numeric" | "real" | "integer"      all the same
//	          | "{" { text } "}"                    nominal: the labels
//	          | "string"
//	          | "date" [ text ]                     a pattern of Java's SimpleDateFormat
//	          | "relational" EOL { attribute } "@end" text
//
// There is at least one attribute. All attribute names are different, and so are the labels of a
// nominal attribute. After numeric, real, integer and string, the rest of the line is ignored, such
// as the range [0,10]. Blank lines and comments may stand anywhere. The format does not say which
// attribute is the class. By convention it is the last; Header.Class is -1.
//
// # Rows
//
//	row    = dense [ "{" weight "}" ] EOL | sparse [ "{" weight "}" ] EOL
//	dense  = value { value }                        one for every attribute
//	sparse = "{" { index value } "}"                indices from 0, increasing
//	value  = "?" | text                             a bare ? is a missing value
//
// A file may mix dense and sparse rows. A value that a sparse row leaves out is 0, which for a
// nominal attribute is the first label. The attribute's type decides what a value may be:
//
//	numeric     a number as Java's Double.valueOf reads it: decimal, perhaps with
//	            an exponent and one of the letters d and f, or hexadecimal with a
//	            binary exponent; Infinity; NaN, which is a missing value. Blanks
//	            around it, inside quotes, are ignored.
//	nominal     one of the labels
//	string      any text
//	date        a date in the attribute's pattern, in UTC unless the pattern has
//	            a zone; in the patterns y and yy two digits are a year of the
//	            century that Reader.Century names
//	relational  rows of the attribute's own attributes, separated by line ends,
//	            as one quoted text: quotes and backslashes inside are escaped
//	            once more
//
// Dates before 15 October 1582 are in the Julian calendar, as in Java. A date whose fields
// contradict each other, or whose day the month does not have, is a fault.
//
// # Strict reading and Weka's
//
// Weka also reads malformed text, often not as its author meant it. For example, it closes open
// quotes at the end of the line, drops surplus values or takes them for further rows, and shifts
// columns where a cell is empty. A Reader returns an error that wraps [ErrStrict] in these cases,
// unless [Reader.Weka] is set. They are
//
//   - more values than attributes, or text after a row
//   - two commas without a value between them, or a comma before the first value of a row; one
//     after the last value is allowed
//   - a quote without its counterpart in the same line
//   - a quote that begins inside or directly after a word or quoted text, except that "@attribute'a
//     b'numeric" needs no blanks
//   - a sparse row that leaves out a string or a relation
//   - text after a date, after a nominal, date or relational type, or after @data; an unquoted
//     @attribute at the beginning of a row
//   - a weight that is not a number
//   - text that is not UTF-8, except in comments and in text that is ignored; see [Reader.Latin1]
//   - in a date, numbers with an exponent or of more than 31 bits
//
// With Weka set, the reader gives the rows that Weka 3.8 gives and refuses what it refuses, except
// that
//
//   - a byte order mark is skipped
//   - text inside the header that never ends is a fault
//   - an attribute may not have the weight 0
//   - a sparse row may not leave out a string if no row before it has one (Weka takes the string of
//     a later row)
//   - relations nest at most 16 deep
//   - a week year does not belong to the era BC, but may be 0 or less
//   - the names of time zones are UTC, GMT, WET, CET, EET, EST, CST, MST, PST, the summer times of
//     these, such as CEST and EDT, and the same in full, such as Pacific Standard Time
//   - digits are ASCII digits
//   - dates are in UTC (in Weka, in the local zone), and [Reader.Century] gives the century of
//     two-digit years (in Weka, the clock does)
//
// Each fault is a *format.Error with line and column. [Reader.Skip] continues after it, so that a
// program can list all faults of a file.
//
// # Writing
//
// A Writer follows Weka's layout, so that Weka reads the same data back. Numbers have the fewest
// digits that read back to the same float64. Text is quoted where other readers could misread it,
// and control characters become octal escapes.
//
// Sparse rows always list strings, relations and the class, because readers disagree about ones
// that are left out. If Header.Class is -1, the class is the last attribute if that is nominal.
//
// These are errors: a date that its pattern cannot express, text that is not UTF-8, and a value
// other than missing in a nominal column without labels.
package arff
