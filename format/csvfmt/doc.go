// Package csvfmt reads and writes tables in comma-separated text, as RFC 4180
// has it and as spreadsheets, databases and other programs write it.
//
// # Grammar
//
//	text    = { record }
//	record  = cell { separator cell } end      not empty and not blank
//	cell    = { blank } ( word | quoted ) { blank }
//	word    = bytes other than separators, quotes and ends, not beginning or
//	          ending with a blank; or nothing
//	quoted  = `"` { any byte but `"` | `""` } `"`       `""` is one `"`
//	blank   = " ", and a tab unless that separates
//	end     = LF or CR LF, or the end of the text
//	number  = [ "+" | "-" ] ( digits [ "." [ digits ] ] | "." digits )
//	          [ ( "e" | "E" ) [ "+" | "-" ] digits ]
//	        | [ "+" | "-" ] ( "inf" | "infinity" | "nan" )     in any case
//
// The text is UTF-8; a byte order mark at its start is skipped, and UTF-16 is what format.Open and
// format.OpenStream make UTF-8 of. In a text whose
// first line ends with CR alone, all lines do; there, CR within quotes becomes LF.
// Lines that are empty or blank are skipped. All records have the same number of
// cells, at most 1,048,576, and are shorter than 256 MiB. Quotes hold line ends as they
// stand. A Reader told so takes ' for the quote, and backslashes inside quotes for what
// they are in Weka's CSV: \n, \r, \t and \u001E are those characters, and a backslash before
// any other stands for that, a quote too. A quote may still be doubled.
//
// The separator is a comma, a semicolon, a tab or a vertical bar, whichever
// splits the first hundred lines evenly, or what the Reader is told. (Of long lines those
// in the first 64 KiB count, or a dozen if they are in the first 4 MiB.) A first line
// sep=X, as Excel knows it, says that it is X, and is no record.
//
// Blanks separate too, as in what R's write.table writes and in many an old .data
// file, if the Reader is told, or if those lines are split evenly by them and by
// nothing else, and some have a cell in quotes beside another one, or three or more a
// column of numbers. Then
//
//	record  = { blank } cell { blank { blank } cell } { blank } end
//	cell    = word | quoted
//	quoted  = `"` { any byte but `"` | `""` | `\"` } `"`     `\"` is `"`
//
// so that no cell is empty, and tabs are blanks as well.
//
// # Missing values
//
// An empty cell without quotes, ?, the number nan, and the words that the Reader
// is told are missing values. In quotes they are text; but in a column whose other cells
// are numbers the words that the Reader is told are missing values in quotes too, as
// in a table where all is in quotes, and so is the empty text if that is one of them.
//
// # Types
//
// CSV does not say what a column holds. It is
//
//   - Numeric if every cell that is not missing is a number. A number with a
//     comma, 1,5 or 1,234, is an error then, and so is one too large for a
//     float64; one too small is the nearest there is.
//   - Nominal if it has other cells, but not too many different ones. Its labels
//     stand in the order in which they first come. So rows at the end do not
//     change what those in front are, and numbers are the same as Weka's, which
//     counts labels in this way. (Two files with the same labels may number them
//     differently: compare labels by text.)
//   - String if it has more than 65,536 different cells, or more than 64 and more
//     than half as many as it has cells, unless it is the class, which has labels
//     however many they are. So is a first column without a name whose cells are all in quotes and all
//     different: R's write.csv puts the names of rows there.
//
// Fractions begin with a comma if the Reader is told. Then numbers are those of the grammar with a
// comma in the place of the point, and 1.5 is an error. It finds that out by itself where no
// comma separates and only that makes numbers of all cells of some column,
// and nothing speaks against it: no number has a point or two commas, and some comma is not one
// before three digits, as in 1,234, that may stand between thousands. A Reader that knows
// that other data have decimal commas takes 1,234 for 1.234, unless a number has a point.
//
// A column that Reader.Nominal names is Nominal, whatever its cells look like and however
// many there are: 007 and 7 are two labels then.
//
// A column without any value is Numeric. Reader.Mixed tells which columns fell
// short of being Numeric, and where.
//
// Numbers in quotes are numbers. But where all of a column are in quotes and some
// other cell or name of the file is not, the quotes mean something, as in what R
// writes and what the Writer does: the column is Nominal or String. (PostgreSQL's
// FORCE_QUOTE quotes numbers, and not names: set Reader.QuotedNumbers.) They mean
// nothing where all cells are numbers with a comma, and a comma separates: those cannot
// stand without quotes.
//
// # Names
//
// The first record holds the names of the columns, which are all different, or is
// a row. Unless the Reader is told, it looks at all others to decide:
//
//  1. If all its cells are in quotes and those of some column below are not, it
//     holds names.
//  2. If there is text in it above a column of numbers, it holds names. But it is
//     an error, since nobody can tell, if another cell is a number, a ? or another
//     missing value; or if the text is a word such as NA, N/A, null or - and
//     another cell comes again in its column or the first record.
//  3. It is an error, too, if what is no text in it are different whole numbers,
//     which may be names as pandas counts them, or years, and no row tells the
//     contrary. They count up, are 0, 1, 2 or more than three, and there is nothing
//     else, but other numbers than whole ones below. Or there is a text that does not
//     come again, in a column where others do, twice each on average; and they count
//     up, or there are ten rows or more with other numbers than whole ones.
//  4. Otherwise it is a row if a cell is a number or a missing value, or comes
//     again in its column or the first record.
//  5. Otherwise it holds names.
//
// A Reader that knows the names of columns, those of training data for one, takes a first
// record that has them all for names.
//
// A row that has all names again, above or below numbers, is an error: a table stands behind another.
//
// Names that are empty, without quotes, and those of a table without names, are att1,
// att2, and so on; or att1_2, att1_3, where another column is called so.
//
// The first record may be one cell shorter than the others, as R's write.table writes
// it. It holds names then, and the first cell of the others is the name of a row, which
// is no column, as in R. This is so if most of the first hundred lines have one cell
// more, which is another in each, and the last is not empty in all, if there is no number
// or missing value in the first record, unless the Reader is told that it holds names,
// and if blanks separate or there are two such lines at least. Without quotes around the
// names of columns and rows, commas do not separate such a table, and others not one of
// a single column.
//
// # What is lost
//
// CSV holds names, numbers and text. The Writer refuses weights of rows and
// columns, relational columns, and text that is not UTF-8 or has NUL bytes. Rows
// are written with all their zeros. Digits that a number has not, those of 007 and of
// whole numbers that float64 does not tell apart, stay where the Writer is told the
// texts (see Reader.Lossy and Writer.Text), and not where it has numbers alone. Dates are written in ISO 8601 (UTC, to the
// millisecond) and come back as text. The Reader leaves names of rows out. The
// relation's name, the class's place unless it is the last, the order of labels,
// labels that no row has, and the difference between Nominal and String do not come
// back. A Nominal or String column without values comes back Numeric, and so does one
// that holds numbers alone if nothing in the file, the names included, stands without
// quotes; those with commas or out of range are then an error. So is a column of
// numbers with commas alone where a comma separates. (Where a header alone tells that,
// the Writer refuses it.)
package csvfmt
