package arff

import "math"

// Java's GregorianCalendar: days are counted from 1970-01-01, and dates before
// 15 October 1582 are of the Julian calendar.

const (
	msPerDay  = 24 * 60 * 60 * 1000
	gregorian = -141427 // 1582-10-15
	lastYear  = 292278994

	firstWeekYear = -292269052 // before it Java's moments overflow

	// The first and last moment that 64 bits hold: a day and milliseconds of it.
	firstDay = math.MinInt64/msPerDay - 1
	firstMs  = math.MinInt64 - firstDay*msPerDay
	lastDay  = math.MaxInt64 / msPerDay
	lastMs   = math.MaxInt64 % msPerDay
)

// floorDiv returns a/b rounded down, for b > 0.
func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// daysBefore[m] is the number of days before month m, from 0, in a common year.
var daysBefore = [...]int64{0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334}

// gregorianDay returns the day number of a date of the Gregorian calendar. Year
// 0 is 1 BC; a day beyond the month's end is one of a later month.
func gregorianDay(year, month, day int64) int64 {
	y := year - 1
	n := 365*y + floorDiv(y, 4) - floorDiv(y, 100) + floorDiv(y, 400) - 719162
	n += daysBefore[month] + day - 1
	if month > 1 && year%4 == 0 && (year%100 != 0 || year%400 == 0) {
		n++
	}
	return n
}

// julianDay is gregorianDay for the Julian calendar.
func julianDay(year, month, day int64) int64 {
	y := year - 1
	n := 365*y + floorDiv(y, 4) - 719164
	n += daysBefore[month] + day - 1
	if month > 1 && year%4 == 0 {
		n++
	}
	return n
}

// dayNumber returns the day number of a date.
func dayNumber(year, month, day int64) int64 {
	if n := gregorianDay(year, month, day); n >= gregorian {
		return n
	}
	return julianDay(year, month, day)
}

// A civil is what a calendar says about a day.
type civil struct {
	year                 int64 // 0 is 1 BC
	month                int64 // from 0
	day                  int64 // of the month, from 1
	dayOfYear            int64 // from 1
	weekday              int64 // 0 is Sunday
	weekOfMonth          int64 // weeks begin on Sundays, the first day lies in week 1
	weekdayInMonth       int64 // 2: the second such weekday
	weekOfYear, weekYear int64
}

// civilOf returns the date of a day number.
func civilOf(n int64) civil {
	count := julianDay
	year := floorDiv((n+719164)*4, 1461) + 1
	if n >= gregorian {
		count = gregorianDay
		year = floorDiv((n+719162)*400, 146097) + 1
	}
	first, next := count(year, 0, 1), count(year+1, 0, 1)
	for next <= n { // leap days are late in their cycle, so that the year is never too late
		year++
		first, next = next, count(year+1, 0, 1)
	}
	c := civil{year: year, month: 11}
	leap := next - first - 365
	month := first + daysBefore[c.month] + leap
	for month > n {
		c.month--
		if month = first + daysBefore[c.month]; c.month > 1 {
			month += leap
		}
	}
	c.day = n - month + 1
	if n >= gregorian && first < gregorian { // ten days of October 1582 are missing
		first, month = dayNumber(year, 0, 1), dayNumber(year, c.month, 1)
	}
	c.dayOfYear = n - first + 1
	c.weekday = weekday(n)
	c.weekOfMonth = (n-month+weekday(month))/7 + 1
	c.weekdayInMonth = (n-month)/7 + 1
	c.weekOfYear, c.weekYear = (c.dayOfYear-1+weekday(first))/7+1, year
	if n-c.weekday+6 >= next {
		c.weekOfYear, c.weekYear = 1, year+1
	}
	if year <= 0 { // whose next year Java looks for on the other side of 1 BC
		c.weekYear = year
		if left := next - n; left <= weekday(dayNumber(-year, 0, 1)) {
			c.weekYear++
		}
	}
	return c
}

// sunday returns the Sunday on or before a day.
func sunday(n int64) int64 { return n - weekday(n) }

// weekday returns the weekday of a day number, 0 for Sunday.
func weekday(n int64) int64 { return mod7(n + 4) }

func mod7(n int64) int64 { return n - 7*floorDiv(n, 7) }
