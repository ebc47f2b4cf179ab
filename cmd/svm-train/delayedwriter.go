package main

import (
	"io"
	"sync"
	"time"
)

// Problem: training reports each pair of classes in a few short lines, and its progress in single
// characters. Writing each of these separately takes as long as training a small pair.
//
// Method: texts are collected. They are written when there are 4 KiB of them, or when a timer ends that
// the first of them has started; an empty writer has no timer running. A mutex keeps the timer's goroutine
// and the writers apart.

// A delayedWriter writes texts when there are many of them or the first has waited for a while, so that
// a reader sees them as they come.
type delayedWriter struct {
	w io.Writer

	mu     sync.Mutex // against the timer
	text   []byte
	timer  *time.Timer // of the first text's wait
	err    error       // the first
	failed func()      // is called then; may be nil
}

const (
	mostWaiting = 4 << 10               // bytes that wait at most
	mostDelay   = 40 * time.Millisecond // how long
)

// add appends to the text that waits. What f returns is its argument and more.
func (g *delayedWriter) add(f func(text []byte) []byte) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.text) == 0 {
		if g.timer == nil {
			g.timer = time.AfterFunc(mostDelay, g.flush)
		} else {
			g.timer.Reset(mostDelay)
		}
	}
	if g.text = f(g.text); len(g.text) >= mostWaiting {
		g.write()
	}
}

// flush writes what waits.
func (g *delayedWriter) flush() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.write()
}

// write is flush with the lock.
func (g *delayedWriter) write() {
	if len(g.text) == 0 {
		return
	}
	g.timer.Stop()
	_, err := g.w.Write(g.text)
	g.text = g.text[:0]
	if err != nil && g.err == nil {
		g.err = err
		if g.failed != nil {
			g.failed()
		}
	}
}

// onFailure has f called when a write fails, once, at once if one has.
func (g *delayedWriter) onFailure(f func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.failed = f; g.err != nil {
		f()
	}
}

// end writes what waits and returns the first error of all writes.
func (g *delayedWriter) end() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.write()
	return g.err
}
