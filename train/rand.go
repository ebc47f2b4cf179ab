package train

// Rand is the random stream behind folds and shuffles. It is the additive feedback generator of the
// C library's rand(), which LIBSVM uses without seeding it: NewRand(1) is LIBSVM's stream. Equal
// seeds give equal draws on all systems.
//
//	r_0 = seed, r_i = 16807 r_(i-1) mod 2^31-1   for i = 1..30
//	r_i = r_(i-31)                               for i = 31..33
//	r_i = r_(i-31) + r_(i-3) mod 2^32            for i >= 34
//
// Draw k = 0, 1, ... is r_(k+344) / 2, an integer below 2^31. The zero Rand is the stream of seed
// 1. Only one goroutine may use a Rand at a time.
type Rand struct {
	r  [31]uint32 // the last 31 terms, r_i at i mod 31
	at uint8      // 1 + i mod 31 of the next term; 0: the stream is not set up yet
}

// NewRand returns the stream of a seed. Seed 0 counts as 1, as in C.
func NewRand(seed uint32) *Rand {
	g := new(Rand)
	term := int64(int32(seed))
	if term == 0 {
		term = 1
	}
	g.r[0] = uint32(term)
	for i := 1; i < 31; i++ {
		term = 16807 * term % (1<<31 - 1)
		if term < 0 {
			term += 1<<31 - 1
		}
		g.r[i] = uint32(term)
	}
	// terms 31 to 33 repeat 0 to 2, which are already in their places
	g.at = 34%31 + 1
	g.Skip(344 - 34)
	return g
}

// next computes term i and returns it.
func (g *Rand) next() uint32 {
	if g.at == 0 {
		*g = *NewRand(1)
	}
	i := int(g.at) - 1
	term := &g.r[i] // holds r_(i-31) until now
	*term += g.r[(i+28)%31]
	g.at = uint8((i+1)%31 + 1)
	return *term
}

// Int returns the next draw, 0 to 2^31-1.
func (g *Rand) Int() int { return int(g.next() >> 1) }

// Skip discards n draws.
func (g *Rand) Skip(n int) {
	for range n {
		g.next()
	}
}

// Shuffle permutes items as LIBSVM does: for i = 0 to n-1, item i is exchanged with item i + Int()
// mod (n-i). It draws len(items) times.
func (g *Rand) Shuffle(items []int) {
	for i := range items {
		j := i + g.Int()%(len(items)-i)
		items[i], items[j] = items[j], items[i]
	}
}

// draws gives the state of the random stream at each of several tasks that draw one after the
// other, each as many numbers as its size.
type draws struct {
	size  func(task int) int
	every []Rand // the state at each drawsStep-th task: a Rand is large compared with a small task
}

const drawsStep = 8

// note reserves the numbers of n tasks: it skips them in rng.
func (d *draws) note(rng *Rand, n int) {
	d.every = make([]Rand, 0, (n+drawsStep-1)/drawsStep)
	for i := range n {
		if i%drawsStep == 0 {
			d.every = append(d.every, *rng)
		}
		rng.Skip(d.size(i))
	}
}

// of returns the random stream of a task.
func (d *draws) of(task int) Rand {
	rng := d.every[task/drawsStep]
	for i := task / drawsStep * drawsStep; i < task; i++ {
		rng.Skip(d.size(i))
	}
	return rng
}
