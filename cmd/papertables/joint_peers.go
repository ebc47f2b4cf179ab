package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
)

// A peer is a program on PATH with the column that it fills; folder peers says how to
// get them.
type peer struct{ column, program string }

var peers = []peer{
	{"reduced2", "peer-reduced2"},
	{"Nystroem", "peer-nystroem"},
}

// peerErrors runs a peer, and adds the test errors that it prints in rows that row names.
func (b *bench) peerErrors(ctx context.Context, p peer, of *twoClassParts, seed int, sizes []int, row func(size int) string) (f figures, err error) {
	in, out := filepath.Join(b.dir, "learn"), filepath.Join(b.dir, "test")
	if err := writeRows(ctx, in, of.learn); err != nil {
		return nil, err
	}
	if err := writeRows(ctx, out, of.test); err != nil {
		return nil, err
	}
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	cmd := exec.CommandContext(ctx, p.program, append([]string{in, out, number(of.c), number(of.gamma), strconv.Itoa(seed)}, texts(sizes)...)...)
	cmd.Stderr = b.stderr
	text, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.program, err)
	}
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		var size int
		var e float64
		if _, err := fmt.Sscan(lines.Text(), &size, &e); err != nil {
			return nil, fmt.Errorf("%s printed %q, expected a size and an error", p.program, lines.Text())
		}
		f.add(row(size), p.column, e)
	}
	if len(f) != len(sizes) {
		return nil, fmt.Errorf("%s printed %d errors, expected %d", p.program, len(f), len(sizes))
	}
	return f, nil
}
