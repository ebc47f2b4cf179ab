package arff

// zoneNames are the names of time zones, with their minutes east of Greenwich,
// that mean the same everywhere.
var zoneNames = []struct {
	name    string
	minutes int64
}{
	{"Coordinated Universal Time", 0}, {"Greenwich Mean Time", 0}, {"UTC", 0}, {"GMT", 0},
	{"CEST", 120}, {"CET", 60}, {"EEST", 180}, {"EET", 120}, {"WEST", 60}, {"WET", 0},
	{"EST", -300}, {"EDT", -240}, {"CST", -360}, {"CDT", -300},
	{"MST", -420}, {"MDT", -360}, {"PST", -480}, {"PDT", -420},
	{"Central European Standard Time", 60}, {"Central European Summer Time", 120},
	{"Eastern European Standard Time", 120}, {"Eastern European Summer Time", 180},
	{"Western European Standard Time", 0}, {"Western European Summer Time", 60},
	{"Eastern Standard Time", -300}, {"Eastern Daylight Time", -240},
	{"Central Standard Time", -360}, {"Central Daylight Time", -300},
	{"Mountain Standard Time", -420}, {"Mountain Daylight Time", -360},
	{"Pacific Standard Time", -480}, {"Pacific Daylight Time", -420},
}

// generalZone reads +hhmm, GMT, GMT+h:mm or a name. at is start, or behind the
// blanks there, behind which Java takes GMT for a name, without an offset.
func (f *dateFields) generalZone(text []byte, start, at int) int {
	if text[at] == '+' || text[at] == '-' {
		return f.offset(text, at, 2, 2, false)
	}
	if hasFold(text[start:], "GMT") {
		at = start + len("GMT")
		if at < len(text) && (text[at] == '+' || text[at] == '-') {
			return f.offset(text, at, 1, 2, true)
		}
		f.set(zone, 0)
		return at
	}
	for _, z := range zoneNames {
		if hasFold(text[at:], z.name) {
			f.set(zone, z.minutes)
			return at + len(z.name)
		}
	}
	return -1
}

// isoZone reads Z, or as many of +, hh, mm as there are letters, with a colon
// where there are three.
func (f *dateFields) isoZone(text []byte, at, letters int) int {
	switch {
	case text[at] == 'Z':
		f.set(zone, 0)
		return at + 1
	case text[at] != '+' && text[at] != '-':
		return -1
	case letters == 1:
		return f.offset(text, at, 2, 0, false)
	}
	return f.offset(text, at, 2, 2, letters == 3)
}

// offset reads a sign, hours of at least the given number of digits, at most
// two, and minutes.
func (f *dateFields) offset(text []byte, at, hourDigits, minuteDigits int, colon bool) int {
	sign := int64(1)
	if text[at] == '-' {
		sign = -1
	}
	at++
	h, n := digits(text[at:], 2)
	if n < hourDigits || h > 23 {
		return -1
	}
	at += n
	m := int64(0)
	if minuteDigits > 0 {
		if colon {
			if at == len(text) || text[at] != ':' {
				return -1
			}
			at++
		}
		if m, n = digits(text[at:], minuteDigits); n < minuteDigits || m > 59 {
			return -1
		}
		at += n
	}
	f.set(zone, sign*(h*60+m))
	return at
}

// digits reads at most the given number of digits.
func digits(b []byte, most int) (v int64, n int) {
	for n < min(most, len(b)) && b[n]-'0' <= 9 {
		v = v*10 + int64(b[n]-'0')
		n++
	}
	return v, n
}
