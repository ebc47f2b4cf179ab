package main

import (
	"bytes"
	"image/color"
	"image/png"
	"slices"
)

// The signs of texts in PNG: seven rows of five dots above the line, and two below it.
const (
	glyphWidth, glyphStep = 5, 6 // dots of a sign, and from sign to sign
	glyphRise             = 7    // rows above the line
)

// glyphs are the signs, from the top; rows that are left out are empty. Every text of a picture is made of these.
var glyphs = map[rune][]string{
	' ': {},
	'%': {"##   ", "##  #", "   # ", "  #  ", " #   ", "#  ##", "   ##"},
	'(': {"   # ", "  #  ", " #   ", " #   ", " #   ", "  #  ", "   # "},
	')': {" #   ", "  #  ", "   # ", "   # ", "   # ", "  #  ", " #   "},
	'+': {"", "  #  ", "  #  ", "#####", "  #  ", "  #  "},
	',': {"", "", "", "", "", " ##  ", " ##  ", "  #  ", " #   "},
	'-': {"", "", "", "#####"},
	'.': {"", "", "", "", "", " ##  ", " ##  "},
	':': {"", " ##  ", " ##  ", "", "", " ##  ", " ##  "},
	';': {"", " ##  ", " ##  ", "", "", " ##  ", " ##  ", "  #  ", " #   "},
	'=': {"", "", "#####", "", "#####"},
	'^': {"  #  ", " # # ", "#   #"},
	'0': {" ### ", "#   #", "#  ##", "# # #", "##  #", "#   #", " ### "},
	'1': {"  #  ", " ##  ", "# #  ", "  #  ", "  #  ", "  #  ", "#####"},
	'2': {" ### ", "#   #", "    #", "   # ", "  #  ", " #   ", "#####"},
	'3': {" ### ", "#   #", "    #", "  ## ", "    #", "#   #", " ### "},
	'4': {"   # ", "  ## ", " # # ", "#  # ", "#####", "   # ", "   # "},
	'5': {"#####", "#    ", "#### ", "    #", "    #", "#   #", " ### "},
	'6': {"  ## ", " #   ", "#    ", "#### ", "#   #", "#   #", " ### "},
	'7': {"#####", "    #", "   # ", "   # ", "  #  ", "  #  ", "  #  "},
	'8': {" ### ", "#   #", "#   #", " ### ", "#   #", "#   #", " ### "},
	'9': {" ### ", "#   #", "#   #", " ####", "    #", "   # ", " ##  "},
	'B': {"#### ", "#   #", "#   #", "#### ", "#   #", "#   #", "#### "},
	'C': {" ### ", "#   #", "#    ", "#    ", "#    ", "#   #", " ### "},
	'F': {"#####", "#    ", "#    ", "#### ", "#    ", "#    ", "#    "},
	'M': {"#   #", "## ##", "# # #", "# # #", "#   #", "#   #", "#   #"},
	'N': {"#   #", "##  #", "##  #", "# # #", "#  ##", "#  ##", "#   #"},
	'O': {" ### ", "#   #", "#   #", "#   #", "#   #", "#   #", " ### "},
	'R': {"#### ", "#   #", "#   #", "#### ", "# #  ", "#  # ", "#   #"},
	'a': {"", "", " ### ", "    #", " ####", "#   #", " ####"},
	'b': {"#    ", "#    ", "# ## ", "##  #", "#   #", "#   #", "#### "},
	'c': {"", "", " ### ", "#   #", "#    ", "#   #", " ### "},
	'd': {"    #", "    #", " ## #", "#  ##", "#   #", "#   #", " ####"},
	'e': {"", "", " ### ", "#   #", "#####", "#    ", " ### "},
	'f': {"  ## ", " #  #", " #   ", "###  ", " #   ", " #   ", " #   "},
	'g': {"", "", " ####", "#   #", "#   #", "#   #", " ####", "    #", " ### "},
	'h': {"#    ", "#    ", "# ## ", "##  #", "#   #", "#   #", "#   #"},
	'i': {"  #  ", "", " ##  ", "  #  ", "  #  ", "  #  ", " ### "},
	'j': {"   # ", "", "  ## ", "   # ", "   # ", "   # ", "   # ", "#  # ", " ##  "},
	'k': {"#    ", "#    ", "#  # ", "# #  ", "##   ", "# #  ", "#  # "},
	'l': {" ##  ", "  #  ", "  #  ", "  #  ", "  #  ", "  #  ", " ### "},
	'm': {"", "", "## # ", "# # #", "# # #", "# # #", "# # #"},
	'n': {"", "", "# ## ", "##  #", "#   #", "#   #", "#   #"},
	'o': {"", "", " ### ", "#   #", "#   #", "#   #", " ### "},
	'p': {"", "", "#### ", "#   #", "#   #", "#   #", "#### ", "#    ", "#    "},
	'q': {"", "", " ####", "#   #", "#   #", "#   #", " ####", "    #", "    #"},
	'r': {"", "", "# ## ", "##  #", "#    ", "#    ", "#    "},
	's': {"", "", " ####", "#    ", " ### ", "    #", "#### "},
	't': {" #   ", " #   ", "#### ", " #   ", " #   ", " #  #", "  ## "},
	'u': {"", "", "#   #", "#   #", "#   #", "#  ##", " ## #"},
	'v': {"", "", "#   #", "#   #", "#   #", " # # ", "  #  "},
	'w': {"", "", "#   #", "#   #", "# # #", "# # #", " # # "},
	'x': {"", "", "#   #", " # # ", "  #  ", " # # ", "#   #"},
	'y': {"", "", "#   #", "#   #", "#   #", "#   #", " ####", "    #", " ### "},
	'z': {"", "", "#####", "   # ", "  #  ", " #   ", "#####"},
}

// An anchor is the part of a text that is at its place.
type anchor string

// The anchors.
const (
	atStart  anchor = "start"
	atMiddle anchor = "middle"
	atEnd    anchor = "end"
)

// encoded returns the picture as a file.
func (p picture) encoded() []byte {
	var b bytes.Buffer
	if err := png.Encode(&b, p); err != nil {
		panic("slimsvm: " + err.Error()) // a buffer takes everything
	}
	return b.Bytes()
}

// write writes a text on a line at y, or upwards at x.
func (p picture) write(text string, x, y float64, part anchor, upward bool) {
	const size = 2 // pixels of a dot
	signs := []rune(text)
	long := size * (glyphStep*len(signs) - 1)
	from := -slices.Index([]anchor{atStart, atMiddle, atEnd}, part) * long / 2
	for n, sign := range signs {
		for row, dots := range glyphs[sign] {
			for column, d := range dots {
				if d != '#' {
					continue
				}
				right, up := float64(from+size*(glyphStep*n+column)), float64(size*(glyphRise-row))
				if upward {
					p.dot(pictureScale*x-up, pictureScale*y-right, color.Gray{}, size)
				} else {
					p.dot(pictureScale*x+right, pictureScale*y-up, color.Gray{}, size)
				}
			}
		}
	}
}
