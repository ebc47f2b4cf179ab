package pages

import "unsafe"

// reserve returns n zero bytes, or nil, and those of them that may be in large pages: all
// pages but the first small bytes and what is not a whole page at the end. Little would take a
// large page, so that small is not 0 where little may be used.
func reserve(n, small int) (s, large []byte, release func()) {
	b := mapped(n + Size)
	if b == nil {
		return nil, nil, func() {}
	}
	skip := int((uintptr(Size-small) - uintptr(unsafe.Pointer(&b[0]))) % Size)
	all := b[skip:]
	return all[:n:n], all[small : small+(n-small)/Size*Size], func() { unmap(b) }
}
