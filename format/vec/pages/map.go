package pages

import "unsafe"

// reserve returns n zero bytes, of which the first small, at least, are in small pages and
// those behind in large ones, or nil. Little would take a large page, so that small is not 0
// where little may be used.
func reserve(n, small int) (s []byte, release func()) {
	b := mapped(n + Size)
	if b == nil {
		return nil, func() {}
	}
	skip := int((uintptr(Size-small) - uintptr(unsafe.Pointer(&b[0]))) % Size)
	all := b[skip:]
	if whole := (n - small) / Size * Size; whole > 0 {
		ask(all[small : small+whole])
	}
	return all[:n:n], func() { unmap(b) }
}
