package arff

// resolve returns the milliseconds since 1970-01-01T00:00 UTC of the moment that
// the fields give, and whether there is one: with every field as it was set.
//
// The day is found from what was set last of
//
//	month, day of month
//	month, week of month, weekday
//	month, weekday in month, weekday
//	day of year
//	week of year, weekday
//
// and the hour from what was set last of the hour, and the hour of a half day
// with its half. What is missing is the first of its kind, in 1970.
func (f *dateFields) resolve() (ms float64, ok bool) {
	n, ok := f.resolveDay()
	if !ok {
		return 0, false
	}
	h := f.or(hour, 0)
	if halves := max(f.stamp[hour12], f.stamp[half]); f.stamp[hour] == 0 || min(f.stamp[hour12], f.stamp[half]) > 0 && halves > f.stamp[hour] {
		h = f.or(hour12, 0) + 12*f.or(half, 0)
	}
	if !f.holds(n, h) {
		return 0, false
	}
	of := ((h*60+f.or(minute, 0)-f.or(zone, 0))*60+f.or(second, 0))*1000 + f.or(millisecond, 0)
	return moment(n, of)
}

// moment returns the milliseconds since 1970-01-01T00:00 UTC of those counted from the beginning of
// a day, and whether Java's 64 bits hold them.
func moment(n, of int64) (ms float64, ok bool) {
	days := floorDiv(of, msPerDay)
	n, of = n+days, of-days*msPerDay
	if n < firstDay || n == firstDay && of < firstMs || n > lastDay || n == lastDay && of > lastMs {
		return 0, false
	}
	if n < 0 { // the first day begins before what 64 bits hold
		n, of = n+1, of-msPerDay
	}
	return float64(n*msPerDay + of), true
}

// resolveDay returns the day number.
func (f *dateFields) resolveDay() (n int64, ok bool) {
	if y := f.value[weekYear]; f.stamp[weekYear] > f.stamp[year] {
		n := f.inWeek(dayNumber(y, 0, 1), weekOfYear)
		c := civilOf(n)
		ok := firstWeekYear <= y && y <= lastYear && f.or(era, 1) == 1 && c.weekYear == y && c.weekOfYear == f.or(weekOfYear, 1)
		// what else was said of the day does not count
		f.stamp[era], f.stamp[year], f.stamp[month], f.stamp[day] = 0, 0, 0, 0
		return n, ok
	}
	y, m := f.or(year, 1970), f.or(month, 0)
	if y < 1 || y > lastYear || m < 0 || m > 11 {
		return 0, false
	}
	if f.or(era, 1) == 0 {
		y = 1 - y
	}
	field := f.decisive()
	if y == 1582 && m == 9 && (field == weekOfMonth || field == weekdayInMonth) {
		return 0, false // ten days are missing, Java counts in more than one way
	}
	switch first := dayNumber(y, m, 1); field {
	case weekOfMonth:
		return f.inWeek(first, weekOfMonth), true
	case weekdayInMonth:
		return first + mod7(f.or(weekdayField, 0)-weekday(first)) + 7*(f.or(weekdayInMonth, 1)-1), true
	case weekOfYear:
		return f.inWeek(dayNumber(y, 0, 1), weekOfYear), true
	case dayOfYear:
		return dayNumber(y, 0, 1) + f.value[dayOfYear] - 1, true
	}
	return dayNumber(y, m, f.or(day, 1)), true
}

// inWeek returns the weekday in the week that a field counts from the one of the
// given day.
func (f *dateFields) inWeek(first int64, week int) int64 {
	return sunday(first) + 7*(f.or(week, 1)-1) + f.or(weekdayField, 0)
}

// decisive returns the field that says, perhaps with others, which day it is.
func (f *dateFields) decisive() int {
	weekday := f.stamp[weekdayField]
	best, stamp, own := day, f.stamp[day], f.stamp[day]
	for _, field := range []int{weekOfMonth, weekdayInMonth, dayOfYear, weekOfYear} {
		s := f.stamp[field]
		if field != dayOfYear && s > 0 {
			if weekday == 0 {
				continue
			}
			s = max(s, weekday)
		}
		if s > stamp || s == stamp && f.stamp[field] > own {
			best, stamp, own = field, s, f.stamp[field]
		}
	}
	if stamp > 0 {
		return best
	}
	// a weekday alone, or a week without one
	stamp = 0
	for _, field := range []int{weekOfMonth, weekdayInMonth, weekOfYear} {
		s := f.stamp[field]
		if field == weekdayInMonth {
			s = max(s, weekday)
		}
		if s > stamp {
			best, stamp = field, s
		}
	}
	return best
}

// holds reports whether all fields that were set are those of the day and hour.
func (f *dateFields) holds(n, h int64) bool {
	c := civilOf(n)
	is := [fieldCount]int64{
		era: 1, year: c.year, month: c.month, day: c.day, dayOfYear: c.dayOfYear,
		weekdayField: c.weekday, weekOfYear: c.weekOfYear, weekOfMonth: c.weekOfMonth, weekdayInMonth: c.weekdayInMonth,
		half: h / 12, hour12: h % 12, hour: h,
	}
	if c.year < 1 {
		is[era], is[year] = 0, 1-c.year
	}
	for field, v := range f.value {
		if f.stamp[field] == 0 || field == weekYear { // which is no field of Java's calendars
			continue
		}
		low, high := is[field], is[field]
		switch field {
		case minute, second:
			low, high = 0, 59
		case millisecond:
			low, high = 0, 999
		case zone:
			low, high = -13*60, 14*60
		}
		if v < low || v > high {
			return false
		}
	}
	return 0 <= h && h <= 23
}
