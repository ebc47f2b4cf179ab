// Package outbox delivers what several goroutines send, one at a time and in order, without a lock
// while the receiver works.
//
// Problem: events of tasks that run at once are put into order under a lock. If the receiver of an
// event were called under it, and trained something itself with the threads of the tasks, its
// goroutine might help with one of these tasks, which would wait for the lock: for ever.
//
// Method: senders put events into a queue under the lock, and release it. Then one of them, the
// others going on, calls the receiver for whatever is in the queue.
package outbox

import "sync"

// An Outbox holds items until they are delivered. The zero Outbox is empty and ready.
type Outbox[T any] struct {
	mu      sync.Mutex
	waiting []T
	busy    bool // a receiver is at work
}

// Put appends an item. The caller may hold a lock that gives the items their order, and calls
// Deliver when it has released that.
func (o *Outbox[T]) Put(item T) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.waiting = append(o.waiting, item)
}

// Deliver calls a receiver, the same one each time, for the items that wait, unless such a call is
// under way: its goroutine, which may be the caller's own, then delivers them. So all items have
// been delivered when all goroutines have returned from Deliver. If the receiver panics or ends its
// goroutine, the items behind it wait for the next Deliver.
func (o *Outbox[T]) Deliver(to func(T)) {
	for o.next(to) {
	}
}

// next delivers the first item. It returns false if there is none, or if a call is under way.
func (o *Outbox[T]) next(to func(T)) bool {
	o.mu.Lock()
	if o.busy || len(o.waiting) == 0 {
		o.mu.Unlock()
		return false
	}
	item := o.waiting[0]
	o.waiting = o.waiting[1:]
	o.busy = true
	o.mu.Unlock()
	defer func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.busy = false
	}()
	to(item)
	return true
}
