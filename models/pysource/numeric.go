package pysource

// Problem: compute exp and tanh with the bits of package kernel, using sums and products of floats.
//
// Method: that of models/javasource. In exp, which takes most of the time of a kernel value, the
// fast case of the fused operation is written inline.

// numeric writes exp and tanh, if they are used.
func (s *source) numeric() {
	if s.Exponentials() {
		s.put("%s", exp)
	}
	if s.Tangents() {
		s.put("%s", tanh)
	}
	if s.Exponentials() || s.Tangents() {
		s.put("%s", fma)
	}
}

const exp = `

_INV_LN2_N = float.fromhex("0x1.71547652b82fep7")
_LN2_HI = float.fromhex("-0x1.62e42fefa0000p-8")
_LN2_LO = float.fromhex("-0x1.cf79abc9e3b39p-47")
_TO_INT = float.fromhex("0x1.8p52")
_C2 = float.fromhex("0x1.ffffffffffdbdp-2")
_C3 = float.fromhex("0x1.555555555543cp-3")
_C4 = float.fromhex("0x1.55555cf172b91p-5")
_C5 = float.fromhex("0x1.1111167a4d017p-7")


def _exp(x: float) -> float:
    """e^x with the bits of the GNU C library, by powers of 2^(1/128) and a polynomial.

    s is a b + c, rounded once, if a b is less than 1/256 of c and the rest is not near to half of the last
    place. Else _fma finds it.
    """
    if not x >= -746.0:
        return 0.0 if x < -746.0 else x
    if x > 710.0:
        return math.inf
    product = x * _INV_LN2_N
    k = product + _TO_INT - _TO_INT
    d = product - k
    if (d == 0.5 or d == -0.5) and _error(x, _INV_LN2_N, product) * d > 0:
        k += 2 * d
    y = x + k * _LN2_HI  # without an error: the product has at most 53 digits
    product = k * _LN2_LO
    r = y + product
    rest = product - (r - y)
    if abs(product) * 256 > abs(y) or r + rest * 1.02 != r:
        r = _fma(k, _LN2_LO, y)
    n = int(k)
    i = 2 * (n & 127)
    h = _POWERS[i]
    c = _POWERS[i + 1] + r
    r2 = r * r
    product = r * _C3
    s = _C2 + product
    rest = product - (s - _C2)
    if s + rest * 1.02 != s:
        s = _fma(r, _C3, _C2)
    product = r2 * s
    t = c + product
    rest = product - (t - c)
    if t + rest * 1.02 != t:
        t = _fma(r2, s, c)
    product = r * _C5
    s = _C4 + product
    rest = product - (s - _C4)
    if s + rest * 1.02 != s:
        s = _fma(r, _C5, _C4)
    c = t
    r2 *= r2
    product = r2 * s
    t = c + product
    rest = product - (t - c)
    if t + rest * 1.02 != t:
        t = _fma(r2, s, c)
    e = n >> 7
    if x > -512.0:
        product = h * t
        s = h + product
        rest = product - (s - h)
        if s + rest * 1.02 != s:
            s = _fma(h, t, h)
        try:
            return math.ldexp(s, e)
        except OverflowError:
            return math.inf
    s = math.ldexp(h, e + 1022)
    part = s * t
    v = s + part
    if v >= 1:
        return math.ldexp(v, -1022)
    up = 1 + v
    rest = 1 - up + v + (s - v + part)  # rounded once, where the result is subnormal
    return math.ldexp(up + rest - 1, -1022)
`

const tanh = `

def _tanh(x: float) -> float:
    """tanh x with the bits of the GNU C library."""
    a = abs(x)
    if a < 2.0**-55 or x != x:
        return x
    if a >= 22:
        return math.copysign(1.0, x)
    if a >= 1:
        return math.copysign(1 - 2 / (_expm1(2 * a) + 2), x)
    e = _expm1(-2 * a)
    return math.copysign(-e / (e + 2), x)


def _expm1(x: float) -> float:
    k = 0
    r = x
    c = 0.0
    if abs(x) >= float.fromhex("0x1.62e43p-2"):
        k = int(_fma(1.44269504088896338700e00, x, math.copysign(0.5, x)))
        hi = _fma(-k, 6.93147180369123816490e-01, x)
        lo = k * 1.90821492927058770002e-10
        r = hi - lo
        c = hi - r - lo
    half = 0.5 * r
    s = r * half
    s2 = s * s
    p = _fma(
        s2 * s2,
        _fma(s, -2.01099218183624371326e-07, 4.00821782732936239552e-06),
        _fma(s2, _fma(s, -7.93650757867487942473e-05, 1.58730158725481460165e-03), _fma(s, -3.33333333333331316428e-02, 1.0)),
    )
    t = _fma(-p, half, 3.0)
    e = s * ((p - t) / _fma(-r, t, 6.0))
    if k == 0:
        return r - _fma(r, e, -s)
    e = _fma(r, e - c, -c) - s
    if k == -1:
        return _fma(0.5, r - e, -0.5)
    if k == 1:
        return -2 * (e - (r + 0.5)) if r < -0.25 else 1 + 2 * (r - e)
    scale = math.ldexp(1.0, k)
    if k <= -2 or k > 56:
        return _fma(1 - (e - r), scale, -1.0)
    if k < 20:
        return (1 - 1 / scale - (e - r)) * scale
    return (r - (e + 1 / scale) + 1) * scale
`

const fma = `

def _fma(a: float, b: float, c: float) -> float:
    """a b + c, rounded once, where nothing overflows or loses bits below the smallest numbers."""
    p = a * b
    e = _error(a, b, p)
    th = c + e
    z = th - c
    tl = c - (th - z) + (e - z)
    vh = p + th
    z = vh - p
    vl = p - (vh - z) + (th - z)
    s = vl + tl
    z = s - vl
    rest = vl - (s - z) + (tl - z)
    w = vh + s
    f = s - (w - vh)
    return w + 2 * f if rest * f > 0 and w + 2 * f - w == 2 * f else w


def _error(a: float, b: float, p: float) -> float:
    """a b - p, where p is a b rounded."""
    c = 134217729.0 * a
    ah = c - (c - a)
    al = a - ah
    c = 134217729.0 * b
    bh = c - (c - b)
    bl = b - bh
    return ah * bh - p + ah * bl + al * bh + al * bl
`
