package textscan

import "bytes"

// What [FileKind] says of the files of this module and of LIBSVM's commands.
const (
	BeginsModel  = "how a model begins"
	BeginsRanges = "how a file of svm-scale's ranges begins"
)

// FileKind says what begins with this line, judged by its first word: a model or a file of ranges, of
// LIBSVM's commands or of others that are used beside them. It returns "" if that is none of these.
// Programs take such a file for data, or the reverse, where their arguments are in the wrong order.
func FileKind(line []byte) string {
	line = line[skipSpace(line):]
	word := line
	if n := bytes.IndexFunc(line, func(c rune) bool { return c < ' ' || c == ' ' }); n >= 0 {
		word = line[:n]
	}
	switch string(word) {
	case "svm_type", "slimsvm_model":
		return BeginsModel
	case "solver_type":
		return "how a model of LIBLINEAR's begins"
	case "SVM-light":
		return "how a model of SVMlight's begins"
	case "x", "y":
		if len(bytes.TrimSpace(line)) == len(word) {
			return BeginsRanges
		}
	}
	return ""
}

// QuoteBegun is QuoteWord, and says what the line begins if [FileKind] knows.
func QuoteBegun(line []byte) string {
	if kind := FileKind(line); kind != "" {
		return QuoteWord(line) + ", which is " + kind
	}
	return QuoteWord(line)
}
