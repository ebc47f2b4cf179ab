package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/phrase"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/textscan"
)

// A labelling says which numbers stand for nominal labels in formats that have
// numbers only.
type labelling string

// The labellings.
const (
	byIndex  labelling = "index"  // 0, 1, ... in the declared order, as Weka's LibSVMSaver
	byNumber labelling = "number" // the number that the label's text is
	bySign   labelling = "sign"   // 1 for the first label, -1 for the second, as Weka's SVMLightSaver
)

// labellings are the words of --labels.
var labellings = []string{string(byIndex), string(byNumber), string(bySign)}

// labelsFlag is the option of how labels are numbered.
func labelsFlag() cli.Flag {
	return &cli.StringFlag{Name: "labels", Value: string(byIndex), Usage: "how LIBSVM and SVMlight files write nominal labels: index (0, 1, ...), number (the label's text, which must be a number) or sign (1 and -1)"}
}

// labellingOf returns what --labels says.
func labellingOf(c *cli.Context) (labelling, error) {
	switch l := labelling(c.String("labels")); l {
	case byIndex, byNumber, bySign:
		return l, nil
	default:
		return l, checkWord(c, "labels", labellings)
	}
}

// values returns the number of each label of a column, nil for index.
func (l labelling) values(a *format.Attribute) ([]float64, error) {
	switch {
	case l == byIndex || a.Type != format.Nominal:
		return nil, nil
	case l == bySign && len(a.Labels) == 2:
		return []float64{1, -1}, nil
	case l == bySign:
		return nil, fmt.Errorf("column %q has %s: --labels sign needs two", a.Name, phrase.Count(len(a.Labels), "label"))
	}
	values := make([]float64, len(a.Labels))
	seen := map[float64]string{}
	for i, label := range a.Labels {
		v, err := textscan.Number(label)
		if err != nil || v != v {
			return nil, fmt.Errorf("column %q: label %q is not a number: --labels number needs numbers", a.Name, label)
		}
		if first, is := seen[v]; is {
			return nil, fmt.Errorf("column %q: labels %q and %q are the same number: --labels number needs different ones", a.Name, first, label)
		}
		values[i], seen[v] = v, label
	}
	return values, nil
}
