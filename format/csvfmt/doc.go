// Package csvfmt reads and writes tables in comma-separated text, as RFC 4180 defines it and as
// spreadsheets, databases and other programs write it.
//
// [Parse] reads a whole data set: see its example. [NewReader] reads row by row, with options in
// the Reader's fields, and [NewWriter] writes. [Codec] and [TSV] describe the format to programs
// that choose a format at run time. The rows are columns as the Reader finds them, not features:
// package format/encode makes features of them.
//
// CSV does not declare anything. Separator, column types, decimal commas and whether there are
// names are therefore found out from the text, by the rules below; each can be set in the Reader.
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
// Further rules:
//
//   - The text is UTF-8. A byte order mark at its start is skipped. (format.Open and
//     format.OpenStream convert UTF-16.)
//   - If the first line ends with CR alone, all lines do; CR within quotes then becomes LF.
//   - Lines that are empty or blank are skipped.
//   - All records have the same number of cells, at most 1,048,576, and are shorter than 256 MiB.
//   - Line ends within quotes are kept as they are.
//   - [Reader.Quote] may select ' as the quote. With [Reader.Backslash], backslashes inside quotes
//     have their meaning in Weka's CSV: \n, \r, \t and \u001E are those characters, and a backslash
//     before any other character, such as a quote, stands for that character. A quote may still be
//     doubled.
//
// # Separators
//
// The separator is a comma, a semicolon, a tab or a vertical bar, whichever splits the first
// hundred lines evenly, or [Reader.Separator]. (Of long lines, those in the first 64 KiB count, or
// a dozen if they are in the first 4 MiB.) A first line sep=X, as Excel writes it, sets the
// separator X and is not a record.
//
// Blanks are the separator, as in the output of R's write.table and in many old .data files, if the
// Reader is told so. They are also if only they split the first hundred lines evenly, and some
// lines have a quoted cell beside another one, or three or more lines have a column of numbers.
// Then no cell is empty, tabs are blanks as well, and
//
//	record  = { blank } cell { blank { blank } cell } { blank } end
//	cell    = word | quoted
//	quoted  = `"` { any byte but `"` | `""` | `\"` } `"`     `\"` is `"`
//
// # Missing values
//
// An empty cell without quotes, ?, and the words in [Reader.Missing] are missing values. In quotes
// they are text, with one exception: in a column whose other cells are numbers, the empty text and
// the words in Reader.Missing are missing values in quotes too. Some programs put every cell in
// quotes.
//
// The number nan is a missing value in a Numeric column, and a label among words: see [Mixed].
//
// # Column types
//
// A column is
//
//   - Numeric if every cell that is not missing is a number. In a Numeric column a number with a
//     comma, such as 1,5 or 1,234, is an error, and so is one too large for a float64. One too
//     small is the nearest there is.
//   - Nominal if it has other cells, but not too many different ones. Its labels are in the order
//     in which they first occur. Rows at the end therefore do not change the labels of those
//     before, and label numbers are Weka's. (Two files with the same labels may number them
//     differently: compare labels by text.)
//   - String if it has more than 65,536 different cells, or more than 64 and more than half as many
//     as it has cells, unless it is the class, which has labels however many there are. A first
//     column without a name whose cells are all in quotes and all different is a String, too: R's
//     write.csv puts the names of rows there.
//
// A column without any value is Numeric. A column that [Reader.Nominal] names is Nominal, whatever
// its cells look like and however many there are: 007 and 7 are then two labels. [Reader.Mixed]
// reports which columns are not Numeric because of some cells, and where.
//
// Numbers in quotes are numbers. But if all cells of a column are in quotes and some other cell or
// name of the file is not, the quotes have a meaning, as in what R and the Writer write: the column
// is Nominal or String. (PostgreSQL's FORCE_QUOTE quotes numbers but not names: set
// [Reader.QuotedNumbers].) Quotes have no meaning if all cells are numbers with a comma and a comma
// separates, because such numbers need quotes.
//
// # Decimal commas
//
// With [Reader.DecimalMark] ',' numbers have a comma in the place of the point, and 1.5 is an
// error. The Reader finds decimal commas out itself if
//
//   - the separator is not a comma, and
//   - only decimal commas make all cells of some column numbers, and
//   - no number has a point or two commas, and
//   - some comma is not followed by exactly three digits, as in 1,234, where it may separate
//     thousands.
//
// With [Reader.LikelyComma] (other data have decimal commas) 1,234 is 1.234, unless a number has a
// point.
//
// # Names
//
// The first record has the names of the columns, which are all different, or it is a row. Unless
// [Reader.FirstLine] says which, the Reader reads the whole text to decide. The first of these
// rules that applies decides:
//
//  1. If all its cells are in quotes and the cells of some column below are not, it holds names.
//  2. If it has text above a column of numbers, it holds names. But it is an error, because nobody
//     can tell, if another of its cells is a number, a ? or another missing value; or if the text
//     is a word such as NA, N/A, null or - and some text of the record occurs again in its column
//     or in the record.
//  3. It is an error, too, if the cells that are not text are two or more different whole numbers
//     that may be names, such as the column numbers that pandas writes, or years, and no text of
//     the record occurs again. This is so if there is no text, the numbers count up, they are 0, 1,
//     2 or more than three, and some number below is not whole. It is also so if there is text
//     above a column whose other texts occur twice each on average, and the numbers count up or, in
//     a table of ten rows or more, some number below is not whole.
//  4. If a cell is a number or a missing value, or its text occurs again in its column or in the
//     record, it is a row.
//  5. Otherwise it holds names.
//
// If [Reader.Names] is set, for example to the columns of the training data, a first record that
// has all of these names holds names.
//
// A row that has all the names again, above or below numbers, is an error: two tables stand one
// after the other.
//
// Empty names without quotes, and the names of a table without names, are att1, att2, and so on; or
// att1_2, att1_3 if another column has that name.
//
// # Names of rows
//
// The first record may have one cell less than the others, as R's write.table writes it. It then
// holds names, and the first cell of every other record is the name of a row, which is not a
// column, as in R. This is so if
//
//   - most of the first hundred lines have one cell more than the first record, their first cells
//     are all different, and their last cells are not all empty, and
//   - the first record has no number or missing value, unless the Reader is told that it holds
//     names, and
//   - blanks separate or there are at least two such lines.
//
// If names of columns and rows are not in quotes, a table separated by commas is not of this form,
// and neither is another one with a single column.
//
// # What is lost
//
// CSV has names, numbers and text. The Writer refuses
//
//   - weights of rows and columns
//   - relational columns
//   - text that is not UTF-8 or has NUL bytes
//
// Rows are written with all their zeros. Dates are written in ISO 8601 (UTC, to the millisecond)
// and are read back as text. Digits that a number cannot hold, such as those of 007 or of whole
// numbers beyond float64's precision, are kept only if the Writer is given the texts: see
// [Reader.Lossy] and [Writer.Text].
//
// These do not come back: the names of rows (the Reader leaves them out), the relation's name, the
// place of the class unless it is last, the order of labels, labels that no row has, and the
// difference between Nominal and String.
//
// A Nominal or String column comes back Numeric if it has no values. It also would if it had only
// numbers, and either nothing in the file, names included, were without quotes, or all had a comma
// and a comma separated: this is an error, of [Writer.WriteHeader] if the header alone shows it,
// else of [Writer.Flush].
package csvfmt
