package textscan

// Room returns how many bytes l has room for.
func (l *Lines) Room() int { return len(l.buf) }

// SetQuick is Set without the numbers that AppendG writes for it, and reports whether it may have left some.
func (s *Sixes) SetQuick(x *[SixesAtOnce]float64, n int) (odd bool) { return s.set(x, n, 1) }
