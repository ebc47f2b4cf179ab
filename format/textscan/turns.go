package textscan

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// Problem: several goroutines read blocks of a text at the same time. If one of them fetches all
// blocks, the others get them from its processor's cache. When it uses the memory again, it waits
// until their copies are gone. Where processors have no common cache, that takes longer than
// fetching the text.
//
// Method: each goroutine fetches the blocks that it reads, into memory of its own. They take turns in
// the order of the text.

// Turns gives the blocks of a text to several goroutines.
type Turns struct {
	blocks *Blocks
	now    atomic.Int64 // the block to be fetched next
	long   atomic.Bool

	asleep atomic.Int32 // goroutines that wait for cond
	mu     sync.Mutex
	cond   *sync.Cond // signals that now has changed
}

// NewTurns returns the turns of b, which must not be used otherwise.
func NewTurns(b *Blocks) *Turns {
	t := &Turns{blocks: b}
	t.cond = sync.NewCond(&t.mu)
	return t
}

// Next is [Blocks.Next] for block n, counted from 0. It waits until the blocks before it are
// fetched, so exactly one goroutine must ask for each of them. Blocks behind the end have the error
// that ended the text.
func (t *Turns) Next(n int, buf []byte, size int) ([]byte, error) {
	t.wait(int64(n))
	buf, err := t.blocks.Next(buf, size)
	if len(buf) > longBlock*size {
		t.long.Store(true)
	}
	t.now.Store(int64(n) + 1)
	if t.asleep.Load() > 0 {
		t.mu.Lock() // those that are about to sleep look at now with the lock
		t.cond.Broadcast()
		t.mu.Unlock()
	}
	return buf, err
}

// Fetched returns how many blocks were fetched.
func (t *Turns) Fetched() int { return int(t.now.Load()) }

// Long reports whether there was a block much longer than asked for, because of a long line. Then
// the blocks to come may take much memory.
func (t *Turns) Long() bool { return t.long.Load() }

// longBlock is how many times as long as asked for a block is that counts as long.
const longBlock = 2

// wait returns when block n is next.
func (t *Turns) wait(n int64) {
	for range yieldsBeforeSleep {
		if t.now.Load() == n {
			return
		}
		runtime.Gosched()
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.asleep.Add(1)
	defer t.asleep.Add(-1)
	for t.now.Load() != n {
		t.cond.Wait()
	}
}
