package encode

import (
	"errors"
	"fmt"
	"testing"

	"github.com/slimsvm/slimsvm/format"
)

// TestMissingArguments: without a header or rows there is an error.
func TestMissingArguments(t *testing.T) {
	two := &format.Header{Attributes: []format.Attribute{{Name: "a"}, {Name: "b"}}, Class: 1}
	for _, o := range []Options{{}, {Drop: []string{"a"}}} {
		if _, err := FitRows(t.Context(), two, nil, o); fmt.Sprint(err) != "no rows" {
			t.Errorf("FitRows without rows: %v", err)
		}
	}
	_, class := FindClass(nil, "")
	_, column := FindColumn(nil, "a")
	_, drop := NewDropping(nil, 0, nil)
	for _, err := range []error{class, column, drop} {
		if !errors.Is(err, errNoColumns) {
			t.Errorf("without a header: %v", err)
		}
	}
}
