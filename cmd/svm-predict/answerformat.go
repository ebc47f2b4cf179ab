package main

import (
	"strconv"
	"strings"

	"github.com/slimsvm/slimsvm/format/encode"
	"github.com/slimsvm/slimsvm/format/textscan"
	"github.com/slimsvm/slimsvm/models"
)

// An answerFormat says how answers are written: as numbers, or by the texts of the
// labels that they are.
type answerFormat struct {
	encoding *encode.Encoding // nil: numbers as LIBSVM writes them
	task     models.Task      // with encoding
}

func (w answerFormat) texts() bool {
	return w.encoding != nil && w.task.Classifies() && w.encoding.Nominal()
}

// appendAnswer appends an answer that has a line of its own. As by slimsvm predict, a text is in
// quotes if it has line breaks.
func (w answerFormat) appendAnswer(line []byte, answer float64) []byte {
	if w.texts() {
		text := w.encoding.LabelText(answer)
		return appendText(line, text, strings.ContainsAny(text, "\r\n"))
	}
	return textscan.AppendG(line, w.target(answer), fullDigits)
}

// appendField appends the label of a class where blanks separate fields. As by slimsvm predict, a text
// is in quotes if it would not be taken for one word.
func (w answerFormat) appendField(line []byte, label float64) []byte {
	if w.texts() {
		text := w.encoding.LabelText(label)
		return appendText(line, text, text == "" || strings.ContainsFunc(text, splitsWord))
	}
	return strconv.AppendInt(line, int64(label), 10)
}

// splitsWord reports whether a character cannot be in a word without quotes.
func splitsWord(r rune) bool { return r <= ' ' || r == '"' || r == 0x7f }

// appendText appends a text, which may be in quotes.
func appendText(line []byte, text string, quoted bool) []byte {
	if quoted {
		return strconv.AppendQuote(line, text)
	}
	return append(line, text...)
}

// target returns an answer or a label in the units of the data.
func (w answerFormat) target(y float64) float64 {
	if w.encoding != nil && w.task.Regresses() {
		return w.encoding.Target(y)
	}
	return y
}
