package pages_test

import (
	"os"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec/pages"
)

// TestTakenBack: a host is told of free memory if the system has an order of pages for that.
func TestTakenBack(t *testing.T) {
	text, err := os.ReadFile("/sys/module/page_reporting/parameters/page_reporting_order")
	if err != nil {
		t.Log("the system does not say what a host is told:", err)
	}
	order := strings.TrimSpace(string(text))
	if got, want := pages.FreePageReporting(), len(order) == 1 || len(order) == 2 && order[0] != '-'; got != want {
		t.Errorf("%v, want %v, of order %q", got, want, order)
	}
}
