// Package arff reads and writes ARFF, the attribute-relation file format of
// Weka: a table whose columns are declared before its rows.
//
// # Characters
//
// The text is UTF-8, with or without a byte order mark; UTF-16 is what format.Open and
// format.OpenStream make UTF-8 of. A line ends with LF, CR LF or CR; the last one may lack its
// end. It is shorter than 1 GiB, unless it is a comment.
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
// Blanks separate and mean nothing else; a word ends where a comment begins. A
// backslash outside quotes is a character like others, and inside quotes only
// the own quote, the backslash and line ends are special. Keywords and types may
// be in any case and in quotes; names and labels are what they are.
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
// There is one attribute or more. Names differ from each other, and so do the
// labels of a nominal attribute. After numeric, real, integer and string any
// text up to the end of the line is passed over, ranges such as [0,10] for one.
// Blank lines and comments may stand anywhere. The class is not part of the
// format; by convention it is the last attribute, and Header.Class is -1.
//
// # Rows
//
//	row    = dense [ "{" weight "}" ] EOL | sparse [ "{" weight "}" ] EOL
//	dense  = value { value }                        one for every attribute
//	sparse = "{" { index value } "}"                indices from 0, increasing
//	value  = "?" | text                             a bare ? is a missing value
//
// Dense and sparse rows may follow each other. What a sparse row leaves out is
// 0: for a nominal attribute the first label. A value is, by its attribute,
//
//	numeric     a number as Java's Double.valueOf reads it: decimal, perhaps with
//	            an exponent and one of the letters d and f, or hexadecimal with a
//	            binary exponent; Infinity; NaN, which is a missing value. Blanks
//	            around it, inside quotes, do not count.
//	nominal     one of the labels
//	string      any text
//	date        a date in the attribute's pattern, in UTC unless the pattern has
//	            a zone; in the patterns y and yy two digits are a year of the
//	            century that Reader.Century names
//	relational  rows of the attribute's own attributes, separated by line ends,
//	            as one quoted text: quotes and backslashes inside are escaped
//	            once more
//
// Dates are of the Julian calendar before 15 October 1582, as Java's are. Fields
// that contradict each other or a month's length are faults.
//
// # Strict and as Weka
//
// Weka reads more than that, often not as it was meant: it closes open quotes
// at the end of the line, drops surplus values or takes them for rows of their
// own, and shifts columns where a cell is empty. A Reader refuses these unless
// its field Weka is set; such a fault is an ErrStrict. They are
//
//   - more values than attributes, or text behind a row
//   - two commas without a value between them, or a comma before the first value
//     of a row; one behind the last is fine
//   - a quote without its counterpart in the same line
//   - a quote that begins inside or directly after a word or quoted text, except
//     that "@attribute'a b'numeric" needs no blanks
//   - a sparse row that leaves out a string or a relation
//   - text behind a date, behind a nominal, date or relational type, or behind
//     @data; an unquoted @attribute at the begin of a row
//   - a weight that is not a number
//   - text that is not UTF-8, comments and what is passed over apart; see Reader.Latin1
//   - in a date, numbers with an exponent or of more than 31 bits
//
// With Weka set the reader gives what version 3.8 gives, and refuses what that
// refuses. The exceptions: a byte order mark is skipped; text inside the header
// never ends without a fault; an attribute may not have the weight 0; a sparse
// row may not leave out a string of which no row before has one (Weka takes that
// of a later row); relations nest 16 deep at most; a year of weeks is none of the
// era BC, but may be 0 or less; names of time zones are those of Europe and North
// America, digits are those of ASCII. Weka has dates in the local zone, and the
// century of years of two digits from the clock.
//
// Each fault is a *format.Error with line and column. Reader.Skip goes on behind
// one, so that all of a file can be listed.
//
// # Writing
//
// A Writer follows Weka's layout, so that Weka reads back the same meaning, and
// numbers have the fewest digits that give back the same float64. Text is quoted
// where other readers could trip over it; control characters are octal escapes.
// Sparse rows always list strings, relations and the class, since readers differ
// in what they make of one left out; the class is the last attribute, if that is
// nominal, where Header.Class is -1. A date that its pattern cannot tell, text
// that is not UTF-8, and what is not missing in a column of labels that has none, are errors.
package arff
