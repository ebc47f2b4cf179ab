package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"os/exec"
	"time"
)

// A bench is what jobs run on.
type bench struct {
	*settings
	store  *store
	stderr io.Writer
	dir    string // for temporary files

	kept     map[string]any // by keep, for the table that runs
	loaded   map[string]*data
	reported map[string]bool // what is absent
}

// table runs the jobs of a table that are chosen and not yet done, split by split.
func (b *bench) table(ctx context.Context, t *table) error {
	splits := t.splits
	if b.splits > 0 {
		splits = min(splits, b.splits)
	}
	if b.quick {
		splits = min(splits, 2)
	}
	b.kept = map[string]any{}
	for split := 1; split <= splits; split++ {
		for i := range t.jobs {
			j := &t.jobs[i]
			name := t.name + "/" + j.name
			if !b.run.MatchString(name) || b.isAbsent(j, name) {
				continue
			}
			if _, done := b.store.done(t.name, j.name, split, t.version); done {
				continue
			}
			r := result{Table: t.name, Job: j.name, Split: split, Version: t.version}
			err := b.measure(&r, func() (err error) {
				r.Figures, err = j.run(ctx, b, split)
				return err
			})
			if err != nil {
				return fmt.Errorf("%s, split %d: %w", name, split, err)
			}
			if err := b.finish(r, fmt.Sprintf("%s, split %d", name, split)); err != nil {
				return err
			}
		}
	}
	b.loaded = nil
	return nil
}

// finish stores a run and tells of it.
func (b *bench) finish(r result, name string) error {
	b.say("%s: %s; %.1f s of CPU", name, r.Figures, r.CPU)
	if was := b.store.compare(r); len(was) > 0 {
		b.say("%s: it had %s", name, was)
	}
	return b.store.add(r)
}

// String is for progress.
func (f figures) String() string {
	text := ""
	for i, v := range f {
		if i > 0 {
			text += ", "
		}
		text += fmt.Sprintf("%s|%s %.4g", v.Row, v.Column, v.Value)
	}
	return text
}

func (b *bench) say(layout string, args ...any) { fmt.Fprintf(b.stderr, layout+"\n", args...) }

// isAbsent reports whether a job cannot run for want of data or programs, and says
// so once.
func (b *bench) isAbsent(j *job, name string) bool {
	missing := b.absent(j)
	if missing != "" && !b.reported[name] {
		if b.reported == nil {
			b.reported = map[string]bool{}
		}
		b.reported[name] = true
		b.say("%s: %s is absent", name, missing)
	}
	return missing != ""
}

// absent names something that a job needs and is not there, or returns "".
func (b *bench) absent(j *job) string {
	for _, s := range j.sets {
		if !b.present(s) {
			return s.name
		}
	}
	for _, p := range j.programs {
		if _, err := exec.LookPath(p); err != nil {
			return p
		}
	}
	return ""
}

// measure runs f and notes its cost.
func (b *bench) measure(r *result, f func() error) error {
	cpu, wall := cpuSeconds(), time.Now()
	err := f()
	r.CPU, r.Wall = tenths(cpuSeconds()-cpu), tenths(time.Since(wall).Seconds())
	return err
}

// tenths rounds seconds to tenths, or hundredths when there are few.
func tenths(s float64) float64 {
	if s < 1 {
		return math.Round(s*100) / 100
	}
	return math.Round(s*10) / 10
}

// chosen returns figures that several jobs need, parameters of training for one,
// from the store or from f. They are stored under the key.
func (b *bench) chosen(key string, version int, f func() (figures, error)) (figures, error) {
	if r, ok := b.store.done("", key, 0, version); ok {
		return r.Figures, nil
	}
	r := result{Job: key, Version: version}
	err := b.measure(&r, func() (err error) {
		r.Figures, err = f()
		return err
	})
	if err != nil {
		return nil, err
	}
	return r.Figures, b.finish(r, key)
}

// keep returns what f returned when it was first called with the key in this
// table.
func keep[T any](b *bench, key string, f func() (T, error)) (T, error) {
	if v, ok := b.kept[key].(T); ok {
		return v, nil
	}
	v, err := f()
	if err == nil {
		b.kept[key] = v
	}
	return v, err
}
