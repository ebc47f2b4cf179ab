package arff

import (
	"bytes"
	"compress/gzip"
	"encoding/hex"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

// A question about what Java reads or writes, as testdata/Answers.java takes it.
type question struct {
	kind, pattern, text string
}

func (q question) String() string {
	switch {
	case q.pattern == "":
		return fmt.Sprintf("%s\t%x", q.kind, q.text)
	case q.kind == "format":
		return fmt.Sprintf("%s\t%x\t%s", q.kind, q.pattern, q.text)
	}
	return fmt.Sprintf("%s\t%x\t%x", q.kind, q.pattern, q.text)
}

func parseQuestion(line string) (q question, err error) {
	f := strings.Split(line, "\t")
	text := func(s string) string {
		b, e := hex.DecodeString(s)
		if e != nil {
			err = e
		}
		return string(b)
	}
	q.kind = f[0]
	switch {
	case len(f) == 2:
		q.text = text(f[1])
	case q.kind == "format":
		q.pattern, q.text = text(f[1]), f[2]
	default:
		q.pattern, q.text = text(f[1]), text(f[2])
	}
	return q, err
}

// answer is our answer. A date read strictly must be the one read as Weka does.
func (q question) answer() string {
	switch q.kind {
	case "number":
		v, ok := number([]byte(q.text))
		if !ok {
			return "error"
		}
		if math.IsNaN(v) {
			return "7ff8000000000000"
		}
		return strconv.FormatUint(math.Float64bits(v), 16)
	case "decode":
		return hex.EncodeToString(new(lexer).expand(nil, []byte(q.text), len(q.text)))
	}
	p, err := compileDate(q.pattern)
	if err != nil {
		return "error"
	}
	if q.kind == "format" {
		ms, _ := strconv.ParseInt(q.text, 10, 64)
		return hex.EncodeToString(p.format(nil, ms))
	}
	ms, err := p.parse([]byte(q.text), 1950, true)
	if strict, e := p.parse([]byte(q.text), 1950, false); e == nil && (err != nil || strict != ms) {
		return fmt.Sprintf("strictly %v, but as Weka %v, %v", strict, ms, err)
	}
	if err != nil {
		return "error"
	}
	return strconv.FormatInt(int64(ms), 10)
}

// TestJava compares with the answers of OpenJDK 17 in testdata/java.tsv.gz. With
// SLIMSVM_RECORD_JAVA=N they are recorded anew, for N random questions of each
// kind besides the chosen ones; that needs a JDK.
func TestJava(t *testing.T) {
	const file = "testdata/java.tsv.gz"
	if n, _ := strconv.Atoi(os.Getenv("SLIMSVM_RECORD_JAVA")); n > 0 {
		recordJava(t, file, n)
	}
	packed, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	table, err := unpack(packed)
	if err != nil {
		t.Fatal(err)
	}
	count, errors := map[string]int{}, map[string]int{}
	for line := range strings.Lines(string(table)) {
		k := strings.LastIndexByte(line, '\t')
		want := strings.TrimSuffix(line[k+1:], "\n")
		q, err := parseQuestion(line[:k])
		if err != nil {
			t.Fatal(err)
		}
		if want == "error" {
			errors[q.kind]++
		} else if q.kind == "parse" {
			want, _, _ = strings.Cut(want, " ") // where the date ends does not matter
		}
		if got := q.answer(); got != want {
			t.Errorf("%s %q %q: %s, Java: %s", q.kind, q.pattern, q.text, got, want)
		}
		count[q.kind]++
	}
	for _, kind := range []string{"number", "parse", "format", "decode"} {
		t.Logf("%s: %d questions, to %d Java's answer is an error", kind, count[kind], errors[kind])
		if count[kind] < 100 || kind != "decode" && kind != "format" && errors[kind] < 10 {
			t.Errorf("too few questions of the kind %s", kind)
		}
	}
}

// recordJava writes questions with Java's answers. What the package excepts, as
// its documentation says, is left out.
func recordJava(t *testing.T, file string, n int) {
	r := rand.New(rand.NewPCG(uint64(n), 17))
	questions := chosenQuestions()
	for range n {
		questions = append(questions, randomNumber(r), randomParse(r), randomFormat(r), randomBytes(r))
	}
	var in bytes.Buffer
	for _, q := range questions {
		fmt.Fprintln(&in, q)
	}
	cmd := exec.Command("java", "testdata/Answers.java")
	cmd.Stdin, cmd.Stderr = &in, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	answers := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	if len(answers) != len(questions) {
		t.Fatalf("%d answers to %d questions", len(answers), len(questions))
	}
	var packed bytes.Buffer
	z, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	for k, q := range questions {
		if !excepted(q, answers[k]) {
			fmt.Fprintf(z, "%s\t%s\n", q, answers[k])
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, packed.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
}

// excepted reports whether a date is one that the package refuses, or tells
// otherwise, though Java does not.
func excepted(q question, answer string) bool {
	if q.pattern == "" {
		return false
	}
	ms, err := strconv.ParseInt(strings.Fields(answer + " ")[0], 10, 64)
	if q.kind == "format" {
		ms, err = strconv.ParseInt(q.text, 10, 64)
	}
	switch {
	case err != nil && q.kind == "parse":
		return strings.ContainsAny(q.pattern, "WF") && strings.Contains(q.text, "1582")
	case q.kind == "parse" && strings.Contains(q.pattern, "Y") && strings.Contains(q.pattern, "G") && ms < 0:
		return true // a year of weeks with an era
	case q.kind == "parse" && strings.ContainsAny(q.pattern, "WF") && civilOf(floorDiv(ms, msPerDay)).year == 1582:
		return true // October 1582
	}
	return ms > 1<<53 || ms < -1<<53
}

func chosenQuestions() (all []question) {
	for text := range strings.SplitSeq("0|-0|+1|.5|5.|1e5|1E+5|1e-5|1d|2f|3D|4F|1.5e3f|0x1p3|0X1P3|0x1.8p1|0x.8p1|0x1.p1d|0x1p3f|0x1|0x1.8|0xp1|0x.p1|0x1p|-0x1p-2|0x1p99999|"+
		"007|1e400|-1e400|1e-400|4.9e-324|2.4703282292062327e-324|2.4703282292062328e-324|1e99999999999999999999|0e99999999999999999999|1e-99999999999999999999|"+
		"NaN|-NaN|+NaN|nan|NAN|NaNf|Infinity|-Infinity|+Infinity|infinity|INFINITY|inf|Inf|Infinityf|nan(1)|"+
		" 3 |\t3\x00| |++1|+-1|--1|+|-|.|e5|.e5|1e|1e+|1ee5|1.2.3|1,5|1_000|1 2|1ff|1fd|f|d|-f|0x|0x1p3p|1e5.5|१|１|1\u00a0|"+
		"9007199254740993|179769313486231570814527423731704356798070|1.7976931348623158e308|1.7976931348623159e308|0.1|123456789012345678901234567890", "|") {
		all = append(all, question{"number", "", text})
	}
	for pattern, texts := range map[string]string{
		"yyyy-MM-dd":                   "2001-04-03|2001-4-3|2001-04-03junk|2001-02-29|2000-02-29|1900-02-29|2001-13-01|2001-00-01|2001-01-32|70-01-01|0000-01-01|-5-01-01|03/04/2001|2001-04| 2001- 4-\t3|2001 -4-3||2001-04-3E0|2E3-1-1|99999-1-1|4294969297-1-1|1582-10-04|1582-10-05|1582-10-14|1582-10-15|1500-02-29",
		"yyyy-MM-dd'T'HH:mm:ss":        "2001-04-03T12:12:12|2001-04-03t12:12:12|2001-04-03T24:00:00|2001-04-03T23:59:60|2001-04-03T1:2:3|2001-04-03T12:12",
		"yyyy-MM-dd'T'HH:mm:ss.SSSX":   "2001-04-03T12:12:12.5Z|2001-04-03T12:12:12.1000Z|2001-04-03T12:12:12.999+01|2001-04-03T12:12:12.999-0130|2001-04-03T12:12:12.0z|2001-04-03T12:12:12.0+24",
		"HH:mm XX":                     "12:30 +0100|12:30 +01|12:30 +01:00|12:30 -2359|12:30 +2400|12:30 Z|12:30 0100",
		"HH:mm XXX":                    "12:30 +01:00|12:30 +0100|12:30 Z",
		"d MMM yyyy HH:mm:ss Z":        "3 Apr 2001 12:00:00 +0100|3 april 2001 12:00:00 GMT|3 APR 2001 12:00:00 GMT+1:30|3 Apr 2001 12:00:00 gmt-01:30|3 Apr 2001 12:00:00 PST|3 Apr 2001 12:00:00 CEST|3 Apr 2001 12:00:00 +01:00|3 Apr 2001 12:00:00 +1|3  Apr 2001 12:00:00 UTC|3 Avr 2001 12:00:00 UTC",
		"EEE, d MMM yyyy":              "Tue, 3 Apr 2001|tuesday, 3 Apr 2001|Mon, 3 Apr 2001|Tues, 3 Apr 2001| Tue, 3 Apr 2001",
		"MM/dd/yy h:mm a":              "04/03/01 12:00 AM|04/03/01 12:00 pm|04/03/49 1:00 PM|04/03/50 1:00 PM|04/03/1 1:00 AM|04/03/2001 1:00 AM|04/03/01 13:00 AM|04/03/01 0:30 AM|04/03/01 1:00 XM",
		"y":                            "01|1|001|99|50|49",
		"yyyyMMdd":                     "20010403|2001043|200143|20010403x|2001 403|20011301",
		"yyMMddHHmmss":                 "010403121212|0104031212|01040312121",
		"yyyy-D":                       "2001-1|2001-365|2001-366|2000-366|2000-0",
		"YYYY-'W'ww-u":                 "2001-W01-1|2001-W53-1|2004-W53-6|2001-W1-7|2001-W1-0|2001-W1-8|-005-W01-5|0-W1-1|0-W1-7|0-W53-6|-8-W53-5|-12-W53-6|-400-W01-1|-100-W52-7",
		"YYYY":                         "0|-1|1|2|-3|-100|-399|2001|-300000000|-292269052|292278993|292278995",
		"YY":                           "0|00|-0|-1|-01|99",
		"G YYYY w E":                   "AD 0 9 Mon|BC 5 9 Mon|BC 2001 1 Sun|AD 2001 1 Sun",
		"yyyy w E":                     "2001 1 Mon|2001 52 Sat|2001 53 Mon|2001 1 Sun",
		"yyyy MM W E":                  "2001 04 1 Sun|2001 04 5 Mon|2001 04 6 Mon|2001 03 1 Sun",
		"yyyy MM F E":                  "2001 04 1 Sun|2001 04 5 Mon|2001 04 6 Mon|2001 04 0 Mon",
		"G y":                          "AD 2001|BC 44|bc 44|Anno Domini 5|before christ 5|BC 0",
		"K:mm a":                       "0:30 AM|11:30 PM|12:30 PM",
		"k:mm":                         "24:00|0:30|1:30",
		"H h a":                        "13 1 PM|13 1 AM|1 1 PM",
		"h":                            "1|12",
		"E":                            "Mon|Sunday",
		"'it''s' yyyy":                 "it's 2001|its 2001",
		"yyyy-bbb":                     "2001-1",
		"yyyy'T":                       "2001T",
		"XXXX":                         "Z",
		"'no field'":                   "no field|no",
		"yyyyéMM":                      "2001é4",
		"GGyyyyMMMdd LLLL":             "AD2001Apr03 April|AD2001Apr03 May",
		"yyyy-MM-dd hh:mm:ss.SSS aZZZ": "2001-04-03 01:02:03.004 PM+0000",
	} {
		for text := range strings.SplitSeq(texts, "|") {
			all = append(all, question{"parse", pattern, text})
		}
	}
	return all
}

func pick(r *rand.Rand, from string) string {
	words := strings.Split(from, "|")
	return words[r.IntN(len(words))]
}

// edit makes a few small changes to a text.
func edit(r *rand.Rand, text, pieces string) string {
	for r.IntN(2) == 0 {
		i := r.IntN(len(text) + 1)
		j := min(len(text), i+r.IntN(3))
		text = text[:i] + pick(r, pieces) + text[j:]
	}
	return text
}

func randomNumber(r *rand.Rand) question {
	v := math.Float64frombits(r.Uint64())
	if r.IntN(2) == 0 {
		v = float64(r.IntN(1e6)) / 1000
	}
	text := strconv.FormatFloat(v, "gex"[r.IntN(3)], r.IntN(20)-1, 64)
	return question{"number", "", edit(r, text, "|0|1|.|e|E|+|-|d|f|p|x|0x| |_|,|NaN|Infinity|9999999999|a")}
}

func randomPattern(r *rand.Rand) string {
	if r.IntN(2) == 0 {
		return pick(r, "yyyy-MM-dd|yyyy-MM-dd HH:mm:ss|dd.MM.yyyy|yyyyMMdd|d MMM yyyy|EEE, d MMM yyyy HH:mm:ss Z|yyyy-MM-dd'T'HH:mm:ss.SSSX|"+
			"MM/dd/yy hh:mm a|yy-D|YYYY-'W'ww-u|YYYY ww E|yyyy MM W E|yyyy MM F E|yyyy w|yyyy W M|E|G yyyy MMM d|yyyy E|HHmmss|D yyyy|w E yyyy|M W|u w Y")
	}
	var b strings.Builder
	for range 1 + r.IntN(5) {
		b.WriteString(strings.Repeat(dateLetters[r.IntN(len(dateLetters)):][:1], 1+r.IntN(4)))
		b.WriteString(pick(r, "||-| |:|/|.|'x'|''|,"))
	}
	return b.String()
}

// randomMoment returns milliseconds, often near a change of years or calendars.
func randomMoment(r *rand.Rand) int64 {
	day := r.Int64N(30_000)
	switch r.IntN(4) {
	case 0:
		day = r.Int64N(4_000_000) - 2_000_000
	case 1:
		day = gregorian + r.Int64N(60) - 30
	case 2:
		day = gregorianDay(1600+r.Int64N(800), 0, 1) + r.Int64N(14) - 7
	}
	return day*msPerDay + r.Int64N(msPerDay)
}

func randomFormat(r *rand.Rand) question {
	for {
		q := question{"format", randomPattern(r), strconv.FormatInt(randomMoment(r), 10)}
		if !strings.Contains(q.pattern, "XXXX") {
			return q
		}
	}
}

func randomParse(r *rand.Rand) question {
	for {
		pattern := randomPattern(r)
		if p, err := compileDate(pattern); err == nil {
			text := string(p.format(nil, randomMoment(r)))
			return question{"parse", pattern, edit(r, text, "|1|0| |-|+0100|31|GMT+01:30|PM|Feb|Mon|9|24|Z|EST|\t|february|bc|-05:30|1:30")}
		}
	}
}

func randomBytes(r *rand.Rand) question {
	text := make([]byte, 1+r.IntN(6))
	for i := range text {
		text[i] = "\x00a\x7f\x80\x8f\x90\x9f\xa0\xbf\xc0\xc1\xc2\xdf\xe0\xe1\xed\xef\xf0\xf1\xf4\xf5\xf8\xff"[r.IntN(23)]
	}
	return question{"decode", "", string(text)}
}
