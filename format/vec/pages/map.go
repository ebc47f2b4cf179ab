package pages

import "unsafe"

// reserve returns n zero bytes, or nil, and the part of them that may be in large pages: everything
// except the first small bytes and what is left after the last whole large page. A single byte
// would occupy a whole large page, so if little may be used, small should not be 0.
func reserve(n, small int) (s, large []byte, release func()) {
	b := mapped(n + Size)
	if b == nil {
		return nil, nil, func() {}
	}
	skip := int((uintptr(Size-small) - uintptr(unsafe.Pointer(&b[0]))) % Size)
	all := b[skip:]
	return all[:n:n], all[small : small+(n-small)/Size*Size], func() { unmap(b) }
}
