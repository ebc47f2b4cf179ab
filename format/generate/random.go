package generate

import (
	"hash/fnv"
	"math/bits"
	"math/rand/v2"
)

// random draws numbers from a stream of bits by comparisons and exactly rounded
// arithmetic only.
type random struct{ source *rand.PCG }

// newRandom returns a generator for a seed and a purpose: sets with one seed are
// independent of each other.
func newRandom(seed uint64, purpose string) *random {
	h := fnv.New64a()
	h.Write([]byte(purpose))
	return &random{rand.NewPCG(seed, h.Sum64())}
}

// uniform returns a multiple of 2^-53 from [0, 1).
func (r *random) uniform() float64 {
	return float64(r.source.Uint64()>>11) * 0x1p-53
}

// between returns a number from [lo, hi).
func (r *random) between(lo, hi float64) float64 {
	return lo + float64((hi-lo)*r.uniform())
}

// below returns an integer from 0 to n-1: the upper half of a 128-bit product,
// drawn again where the lower half would favour some (Lemire, Fast random
// integer generation in an interval, 2019).
func (r *random) below(n int) int {
	un := uint64(n)
	for {
		hi, lo := bits.Mul64(r.source.Uint64(), un)
		if lo >= un || lo >= -un%un {
			return int(hi)
		}
	}
}

// normal returns a number from the standard normal distribution.
//
// Given: uniform numbers. Returned: x with density proportional to
// exp(-x^2/2). Source: algorithm N of C. F. F. Karney, Sampling exactly from
// the normal distribution, ACM Trans. Math. Software 42 (2016) article 3. With
// |x| = k + f, k whole, 0 <= f < 1,
//
//	exp(-x^2/2) = exp(-k/2) exp(-k(k-1)/2) exp(-f(2k+f)/2),
//
// and each factor is a series of trials that succeed with probability exp(-t),
// t <= 1. Deviation: f has 53 bits, not as many as it takes.
func (r *random) normal() float64 {
	for {
		k := 0
		for r.bernoulliExp(0.5) {
			k++
		}
		if !r.bernoulliExpAll(k*(k-1), 0.5) {
			continue
		}
		f, c := r.uniform(), float64(k)
		if !r.bernoulliExpAll(k+1, f*(2*c+f)/(2*c+2)) {
			continue
		}
		x := c + f
		if r.source.Uint64()>>63 == 1 {
			return -x
		}
		return x
	}
}

// bernoulliExp is true with probability exp(-t), for 0 <= t <= 1. The length n of
// the run t > u1 > u2 > ... > un of uniform numbers is at least m with
// probability t^m/m!, so it is even with probability sum (-t)^m/m! (von Neumann).
func (r *random) bernoulliExp(t float64) bool {
	even := true
	for {
		u := r.uniform()
		if u >= t {
			return even
		}
		t = u
		even = !even
	}
}

// bernoulliExpAll is true when n trials of bernoulliExp all are.
func (r *random) bernoulliExpAll(n int, t float64) bool {
	for range n {
		if !r.bernoulliExp(t) {
			return false
		}
	}
	return true
}

// A balancedSampler draws classes without replacement, in random order and in fixed proportion: after
// each round, every class has been drawn as often as it is in classes.
type balancedSampler struct {
	r       *random
	classes []int
	left    int
}

// newBalancedSampler returns a sampler that draws class c counts[c] times a round.
func newBalancedSampler(r *random, counts ...int) *balancedSampler {
	d := &balancedSampler{r: r}
	for c, n := range counts {
		for range n {
			d.classes = append(d.classes, c)
		}
	}
	return d
}

// next returns the next class.
func (d *balancedSampler) next() int {
	if d.left == 0 {
		d.left = len(d.classes)
	}
	k := d.r.below(d.left)
	d.left--
	d.classes[k], d.classes[d.left] = d.classes[d.left], d.classes[k]
	return d.classes[d.left]
}
