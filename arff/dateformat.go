package arff

import (
	"fmt"
	"math"
	"strconv"
)

// format appends a date as the pattern writes it, in UTC.
func (p *datePattern) format(dst []byte, ms int64) []byte {
	n := floorDiv(ms, msPerDay)
	c := civilOf(n)
	t := ms - n*msPerDay
	h := t / (60 * 60 * 1000)
	y, e := c.year, 1
	if y < 1 {
		y, e = 1-y, 0
	}
	for k := range p.parts {
		part := &p.parts[k]
		v, minus := int64(0), false
		switch part.letter {
		case 0:
			dst = append(dst, part.text...)
			continue
		case 'G':
			dst = append(dst, eraNames[e]...)
			continue
		case 'a':
			dst = append(dst, halfNames[h/12]...)
			continue
		case 'E':
			dst = append(dst, part.name(weekdayNames, shortWeekdays)[c.weekday]...)
			continue
		case 'z':
			name := "UTC"
			if part.count > shortName {
				name = "Coordinated Universal Time"
			}
			dst = append(dst, name...)
			continue
		case 'Z':
			dst = append(dst, "+0000"...)
			continue
		case 'X':
			dst = append(dst, 'Z')
			continue
		case 'M', 'L':
			if part.count > 2 {
				dst = append(dst, part.name(monthNames, shortMonths)[c.month]...)
				continue
			}
			v = c.month + 1
		case 'y', 'Y':
			v = y
			if part.letter == 'Y' {
				v = c.weekYear
			}
			if v < 0 { // a year of weeks
				v, minus = -v, true
			}
			if part.count == 2 {
				v %= 100
			}
		case 'd':
			v = c.day
		case 'D':
			v = c.dayOfYear
		case 'u':
			v = (c.weekday+6)%7 + 1
		case 'w':
			v = c.weekOfYear
		case 'W':
			v = c.weekOfMonth
		case 'F':
			v = c.weekdayInMonth
		case 'H':
			v = h
		case 'k':
			v = (h+23)%24 + 1
		case 'K':
			v = h % 12
		case 'h':
			v = (h+11)%12 + 1
		case 'm':
			v = t / (60 * 1000) % 60
		case 's':
			v = t / 1000 % 60
		case 'S':
			v = t % 1000
		}
		if minus {
			dst = append(dst, '-')
		}
		var buf [20]byte
		text := strconv.AppendInt(buf[:0], v, 10)
		for range part.count - len(text) {
			dst = append(dst, '0')
		}
		dst = append(dst, text...)
	}
	return dst
}

// name returns the names that the number of letters asks for.
func (p *datePart) name(long, short []string) []string {
	if p.count > shortName {
		return long
	}
	return short
}

// appendDate appends a date as a text that reads back as the same.
func (p *datePattern) appendDate(dst []byte, ms float64, century int) ([]byte, error) {
	if ms != math.Trunc(ms) || math.Abs(ms) > 1<<53 {
		return dst, fmt.Errorf("%v is no date in milliseconds", ms)
	}
	start := len(dst)
	dst = p.format(dst, int64(ms))
	if back, err := p.parse(dst[start:], century, false); err != nil || back != ms {
		return dst, fmt.Errorf("the date of %d milliseconds cannot be told by the pattern %s", int64(ms), clip(p.text))
	}
	if !isPlain(dst[start:]) {
		return appendQuoted(dst[:start], string(dst[start:])), nil
	}
	return dst, nil
}
