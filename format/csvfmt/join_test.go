package csvfmt

import (
	"strings"
	"testing"
)

// The place of a quote that is not closed in as many bytes as a record may have is that of the
// quote, though the lines behind its own are read into the memory of that.
func TestOpenQuotePlace(t *testing.T) {
	row := strings.Repeat("x", 30_000) + ",\"" + strings.Repeat("y", 20_000)
	text := "a,b\n" + row + "\n" + strings.Repeat("z", 30_000) + "\n" + strings.Repeat("1,2\n", 20_000)
	r := NewReader(strings.NewReader(text))
	r.Separator, r.FirstLine, r.most = ',', FirstLineNames, 70_000
	_, err := r.Header()
	for err == nil {
		_, err = r.Read()
	}
	const want = "2:30002: the quote that opens here is not closed within 0 MiB"
	if err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
