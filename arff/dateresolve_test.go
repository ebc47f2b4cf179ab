package arff

import "testing"

// Moments whose milliseconds Java's 64 bits do not hold are no dates, and neither are some other
// texts. The answers are those of Java 17.
func TestDateRange(t *testing.T) {
	const none = 1
	for _, c := range []struct {
		pattern, text string
		want          float64
	}{
		{"yyyy-MM-dd", "292278994-08-17", 9223372036828800000},
		{"yyyy-MM-dd", "292278994-08-18", none},
		{"yyyy-MM-dd", "292278994-12-31", none},
		{"yyyy-MM-dd HH:mm:ss.SSS", "292278994-08-17 07:12:55.807", 9223372036854775807},
		{"yyyy-MM-dd HH:mm:ss.SSS", "292278994-08-17 07:12:55.808", none},
		{"yyyy-MM-dd HH:mm:ss Z", "292278994-08-17 07:12:55 -0100", none},
		{"yyyy-MM-dd G", "292269055-12-03 BC", -9223372036828800000},
		{"yyyy-MM-dd G", "292269055-12-02 BC", none},
		{"yyyy-MM-dd G", "292278994-12-31 BC", none},
		{"yyyy-MM-dd G HH:mm:ss.SSS", "292269055-12-02 BC 16:47:04.192", -9223372036854775808},
		{"yyyy-MM-dd G HH:mm:ss.SSS", "292269055-12-02 BC 16:47:04.191", none},
		{"YYYY ww u", "292278994 01 1", 9223372016956800000},
		{"YYYY ww u", "292278994 40 1", none},
		{"yyyy D", "1582 278", -12219292800000},
		{"yyyy D", "1582 277", -12219379200000},
		{"yyyy MM W E", "1582 10 3 Fri", none},
		{"yyyy MM F E", "1582 10 3 Fri", none},
		{"yyyy MM W E", "1583 10 3 Fri", -12187843200000},
		{"yyyy MM F E", "1583 10 3 Fri", -12187238400000},
		{"yyyy-MM-dd", "1900-02-29", none},
		{"yyyy-MM-dd", "1900-03-01", -2203891200000},
		{"yyyy-MM-dd", "2000-03-01", 951868800000},
		{"yyyy-MM-dd HH:mm Z", "2001-02-03 04:05 +0930", 981138900000},
		{"yyyy z", "2001 GMT+9:39", 978272460000},
		{"yyyy XXX", "2001 -09:59", 978343140000},
		{"yyyy z", "2001 GMT+:30", none},
		{"yyyy-MM-dd HH:mm zzzz", "2020-01-15 12:00 Pacific Standard Time", 1579118400000},
		{"yyyy-MM-dd HH:mm z", "2020-07-15 12:00 central european summer time", 1594807200000},
		{"yyyy-MM-dd HH:mm zzzz", "2020-07-15 12:00 EDT", 1594828800000},
		{"yyyy-MM-dd HH:mm z", "2020-01-15 12:00 Eastern Time", none},
		{"yyyy-MM-dd HH:mm z", "2020-01-15 12:00  GMT", 1579089600000},
		{"HH", "E5", none},
		{"yyyy-MM", "2001-\v4", none},
		{"HH:mm", "10:-1", none},
	} {
		p, err := compileDate(c.pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, weka := range []bool{false, true} {
			ms, err := p.parse([]byte(c.text), firstCentury, weka)
			switch {
			case c.want == none && err == nil:
				t.Errorf("%s as %s is %v, want no date", c.text, c.pattern, ms)
			case c.want != none && (err != nil || ms != c.want):
				t.Errorf("%s as %s is %v, error %v, want %v", c.text, c.pattern, ms, err, c.want)
			}
		}
	}
}
