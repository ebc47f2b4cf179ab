package textscan

// Room returns how many bytes l has room for.
func (l *Lines) Room() int { return len(l.buf) }

// SetQuick is Set without the numbers that AppendG writes for it, and reports whether it may have
// left some.
func (s *SixDigits) SetQuick(x *[SixDigitsLen]float64, n int) (odd bool) { return s.set(x, n, 1) }

// SetMost sets how long a line may be.
func (l *Lines) SetMost(n int) { l.most = n }

// SetMost sets how long a line may be.
func (b *Blocks) SetMost(n int) { b.most = n }
