package libsvmfmt

import "bytes"

// resembles reports whether the first line of head that is not blank has a pair as its second word:
// whatever is wrong with it, a row is what it was meant to be.
func resembles(head []byte) bool {
	words := firstWords(bytes.TrimPrefix(head, byteOrderMark))
	return len(words) > 1 && words[0][0] != '#' && beginsPair(words[1])
}

// resemblesSVMLight is resembles for rows with a query id, or behind comments.
func resemblesSVMLight(head []byte) bool {
	head = bytes.TrimPrefix(head, byteOrderMark)
	for {
		head = bytes.TrimLeft(head, " \t\r\n")
		if !bytes.HasPrefix(head, []byte{'#'}) {
			break
		}
		_, head, _ = bytes.Cut(head, []byte{'\n'})
	}
	words := firstWords(head)
	if len(words) > 2 && bytes.HasPrefix(words[1], []byte("qid:")) {
		words = words[1:]
	}
	return len(words) > 1 && beginsPair(words[1])
}

// firstWords returns the words of the first line that has any.
func firstWords(text []byte) [][]byte {
	line, _, _ := bytes.Cut(bytes.TrimLeft(text, " \t\r\n"), []byte{'\n'})
	return bytes.Fields(line)
}

// beginsPair reports whether a word begins with an integer and a colon.
func beginsPair(word []byte) bool {
	index, _, colon := bytes.Cut(word, []byte{':'})
	index = bytes.TrimPrefix(bytes.TrimPrefix(index, []byte{'+'}), []byte{'-'})
	return colon && len(index) > 0 && len(bytes.Trim(index, "0123456789")) == 0
}
