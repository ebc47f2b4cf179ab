package compat_test

import (
	"strings"
	"testing"
)

// made is a stream of one object with an int, a double and two texts, one by a
// reference, of a class that also writes a block of its own.
const made = "\xac\xed\x00\x05sr\x00\x01C\x00\x00\x00\x00\x00\x00\x00\x01\x03\x00\x04" +
	"I\x00\x01iD\x00\x01dL\x00\x01st\x00\x01SL\x00\x01rq\x00\x7e\x00\x01xp" +
	"\xff\xff\xff\xfe\x3f\xf8\x00\x00\x00\x00\x00\x00t\x00\x05\xc3\xbc\xc0\x80xq\x00\x7e\x00\x03w\x02abx"

func TestJavaStream(t *testing.T) {
	v, err := parseJava([]byte(made))
	if err != nil {
		t.Fatal(err)
	}
	f := v.(*javaObject).fields
	if f["i"] != int64(-2) || f["d"] != 1.5 || f["s"] != "ü\x00x" || f["r"] != f["s"] {
		t.Errorf("fields %v", f)
	}
	for n := range len(made) {
		if _, err := parseJava([]byte(made[:n])); err == nil {
			t.Errorf("the first %d bytes are read", n)
		}
	}
	for text, fault := range map[string]string{
		"\xac\xed\x00\x04p":                              "not a serialisation stream",
		"\xac\xed\x00\x05q\x00\x7e\x00\x00":              "there is no handle 0",
		"\xac\xed\x00\x05y":                              "tag 0x79 is unknown",
		"\xac\xed\x00\x05sp":                             "expected a class",
		strings.Replace(made, "\x03\x00", "\x04\x00", 1): "class C writes itself",
	} {
		if _, err := parseJava([]byte(text)); err == nil || !strings.Contains(err.Error(), fault) {
			t.Errorf("%q: error %v, want one with %q", text, err, fault)
		}
	}
}
