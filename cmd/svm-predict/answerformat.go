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

// appendAnswer appends an answer that has a line of its own.
func (w answerFormat) appendAnswer(line []byte, answer float64) []byte {
	if w.texts() {
		return appendText(line, w.encoding.LabelText(answer), "\r\n")
	}
	return textscan.AppendG(line, w.target(answer), fullDigits)
}

// appendField appends the label of a class where blanks separate fields.
func (w answerFormat) appendField(line []byte, label float64) []byte {
	if w.texts() {
		return appendText(line, w.encoding.LabelText(label), " \t\r\n\v\f\"")
	}
	return strconv.AppendInt(line, int64(label), 10)
}

// appendText appends a text, in quotes if it is empty or has one of the special
// characters.
func appendText(line []byte, text, special string) []byte {
	if text == "" || strings.ContainsAny(text, special) {
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
