package arff

import "testing"

// TestSniff: a text is ARFF if it begins with @relation as the reader takes it, or with comments,
// cut or not.
func TestSniff(t *testing.T) {
	for head, want := range map[string]bool{
		"@relation r\n":          true,
		"@RELATION\t'r":          true,
		"@relation":              true,
		"\ufeff@relation r\n":    true,
		" @relation r\n":         true,
		",\r\n\t@relation r\n":   true,
		"'@relation' r\n":        true,
		"\"@Relation\" r\n":      true,
		"% note\n@relation r\n":  true,
		"% note\r%\r@relation r": true,
		"%":                      true,
		"% note\n\n":             true,
		"% note\n1,2\n":          false,
		"":                       false,
		" \n":                    false,
		"@relatio":               false,
		"@relations r\n":         false,
		"'@attribute' r\n":       false,
		"@attribute a numeric\n": false,
		"''@relation r\n":        false,
		"1 1:2\n":                false,
	} {
		if got := Codec.Sniff([]byte(head)); got != want {
			t.Errorf("%q: %t", head, got)
		}
	}
}
