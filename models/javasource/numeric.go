package javasource

// Problem: compute exp and tanh with the bits of package kernel, using operations of Java 8.
//
// Method: the methods and constants of kernel.Exp and its tanh. A fused a b + c is composed of
// error-free operations: Dekker's for the error of the product, and Knuth's for sums in two parts.
// This leaves three parts vh + vl + tl to be added. s is vl + tl, rounded, and is added to vh. The
// rounding error of s can matter only if that sum is half way between two numbers. (Boldo and
// Melquiond, "Emulation of FMA and correctly rounded sums", IEEE Trans. Computers 57, 2008, round s
// to odd instead.)
//
// If the product is less than 1/256 of c, its own error is less than 1/256 of a last place. Then
// the unfused sum equals the fused one unless it is that near to half way. In exp this fast case
// applies nearly always.

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
    /** e^x with the bits of the GNU C library, by powers of 2^(1/128) and a polynomial. */
    private static double exp(double x) {
        if (!(x >= -746))
            return x < -746 ? 0 : x;
        if (x > 710)
            return Double.POSITIVE_INFINITY;
        double product = x * 0x1.71547652b82fep7, k = product + 0x1.8p52 - 0x1.8p52, d = product - k;
        if ((d == 0.5 || d == -0.5) && error(x, 0x1.71547652b82fep7, product) * d > 0)
            k += 2 * d;
        double y = x + k * -0x1.62e42fefa0000p-8; // without an error: the product has at most 53 digits
        double low = k * -0x1.cf79abc9e3b39p-47;
        double r = Math.abs(low) * 256 <= Math.abs(y) ? near(k, -0x1.cf79abc9e3b39p-47, y) : fma(k, -0x1.cf79abc9e3b39p-47, y);
        int n = (int) k, i = 2 * (n & 127), e = n >> 7;
        double r2 = r * r, h = POWERS[i];
        double t = near(r2 * r2, near(r, 0x1.1111167a4d017p-7, 0x1.55555cf172b91p-5),
                near(r2, near(r, 0x1.555555555543cp-3, 0x1.ffffffffffdbdp-2), POWERS[i + 1] + r));
        if (x > -512)
            return Math.scalb(near(h, t, h), e);
        double s = Math.scalb(h, e + 1022), part = s * t, v = s + part;
        if (v >= 1)
            return Math.scalb(v, -1022);
        double up = 1 + v, rest = 1 - up + v + (s - v + part); // rounded once, where the result is subnormal
        return Math.scalb(up + rest - 1, -1022);
    }

    /** a b + c, rounded once, if a b is less than 1/256 of c. */
    private static double near(double a, double b, double c) {
        double product = a * b, s = c + product, rest = product - (s - c);
        return s + rest * 1.02 == s ? s : fma(a, b, c);
    }
`

const tanh = `
    /** tanh x with the bits of the GNU C library. */
    private static double tanh(double x) {
        double a = Math.abs(x);
        if (a < 0x1p-55 || x != x)
            return x;
        if (a >= 22)
            return Math.copySign(1, x);
        if (a >= 1)
            return Math.copySign(1 - 2 / (expm1(2 * a) + 2), x);
        double e = expm1(-2 * a);
        return Math.copySign(-e / (e + 2), x);
    }

    private static double expm1(double x) {
        int k = 0;
        double r = x, c = 0;
        if (Math.abs(x) >= 0x1.62e43p-2) {
            k = (int) fma(1.44269504088896338700e+00, x, Math.copySign(0.5, x));
            double hi = fma(-k, 6.93147180369123816490e-01, x), lo = k * 1.90821492927058770002e-10;
            r = hi - lo;
            c = hi - r - lo;
        }
        double half = 0.5 * r, s = r * half, s2 = s * s;
        double p = fma(s2 * s2, fma(s, -2.01099218183624371326e-07, 4.00821782732936239552e-06),
                fma(s2, fma(s, -7.93650757867487942473e-05, 1.58730158725481460165e-03), fma(s, -3.33333333333331316428e-02, 1)));
        double t = fma(-p, half, 3), e = s * ((p - t) / fma(-r, t, 6));
        if (k == 0)
            return r - fma(r, e, -s);
        e = fma(r, e - c, -c) - s;
        if (k == -1)
            return fma(0.5, r - e, -0.5);
        if (k == 1)
            return r < -0.25 ? -2 * (e - (r + 0.5)) : 1 + 2 * (r - e);
        if (k <= -2 || k > 56)
            return fma(1 - (e - r), Math.scalb(1.0, k), -1);
        if (k < 20)
            return (1 - Math.scalb(1.0, -k) - (e - r)) * Math.scalb(1.0, k);
        return (r - (e + Math.scalb(1.0, -k)) + 1) * Math.scalb(1.0, k);
    }
`

const fma = `
    /** a b + c, rounded once, where nothing overflows or loses bits below the smallest numbers. */
    private static double fma(double a, double b, double c) {
        double p = a * b, e = error(a, b, p);
        double th = c + e, z = th - c, tl = c - (th - z) + (e - z);
        double vh = p + th;
        z = vh - p;
        double vl = p - (vh - z) + (th - z), s = vl + tl;
        z = s - vl;
        double rest = vl - (s - z) + (tl - z), w = vh + s, f = s - (w - vh);
        return rest * f > 0 && w + 2 * f - w == 2 * f ? w + 2 * f : w;
    }

    /** a b - p, where p is a b rounded. */
    private static double error(double a, double b, double p) {
        double c = 134217729 * a, ah = c - (c - a), al = a - ah;
        c = 134217729 * b;
        double bh = c - (c - b), bl = b - bh;
        return ah * bh - p + ah * bl + al * bh + al * bl;
    }
`
