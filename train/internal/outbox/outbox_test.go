package outbox

import (
	"slices"
	"sync"
	"testing"
)

// TestOrder: items arrive in the order of Put, one at a time, and all of them, whoever delivers.
func TestOrder(t *testing.T) {
	const senders, each = 8, 500
	var got []int
	inside := 0
	var o Outbox[int]
	take := func(i int) {
		if inside++; inside != 1 {
			t.Error("two calls at once")
		}
		got = append(got, i)
		inside--
	}
	var order sync.Mutex
	next := 0
	var wait sync.WaitGroup
	for range senders {
		wait.Go(func() {
			for range each {
				order.Lock()
				o.Put(next)
				next++
				order.Unlock()
				o.Deliver(take)
			}
		})
	}
	wait.Wait()
	if len(got) != senders*each || !slices.IsSorted(got) {
		t.Errorf("%d items arrived, in order: %t", len(got), slices.IsSorted(got))
	}
}

// TestNested: a receiver may send, which arrives when it has returned.
func TestNested(t *testing.T) {
	var got []int
	var o Outbox[int]
	var take func(i int)
	take = func(i int) {
		if i < 3 {
			o.Put(i + 1)
			o.Deliver(take)
		}
		got = append(got, i)
	}
	o.Put(0)
	o.Deliver(take)
	if !slices.Equal(got, []int{0, 1, 2, 3}) {
		t.Error(got)
	}
}

// TestPanic: after a panic of the receiver the next item can be delivered.
func TestPanic(t *testing.T) {
	var got []int
	var o Outbox[int]
	take := func(i int) {
		if i == 0 {
			panic("no")
		}
		got = append(got, i)
	}
	o.Put(0)
	o.Put(1)
	func() {
		defer func() {
			if recover() == nil {
				t.Error("no panic")
			}
		}()
		o.Deliver(take)
	}()
	o.Deliver(take)
	if !slices.Equal(got, []int{1}) {
		t.Error(got)
	}
}
