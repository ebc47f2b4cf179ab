package textscan

// Room returns how many bytes l has room for.
func (l *Lines) Room() int { return len(l.buf) }
