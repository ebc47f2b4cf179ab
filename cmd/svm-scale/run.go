package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"

	"github.com/slimsvm/slimsvm/cmd/internal/datafile"
	"github.com/slimsvm/slimsvm/cmd/internal/launch"
	"github.com/slimsvm/slimsvm/cmd/internal/rangefile"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/scale"
	"github.com/slimsvm/slimsvm/libsvmfmt"
)

// Exit statuses, as LIBSVM's: -1 is 255 to a shell.
const (
	statusFailed  = 1
	statusBadText = 255 // labels and range files that cannot be read
)

// A failure is an error with what the command ends with.
type failure struct {
	status int
	text   string
	cause  error // of a write; nil: of none
}

func (f *failure) Error() string { return f.text }

func (f *failure) Unwrap() error { return f.cause }

// run does the work of the command and returns its exit status.
func run(ctx context.Context, args []string, _ io.Reader, stdout, stderr io.Writer) int {
	o, err := parseOptions(args)
	if err != nil {
		reportOptions(err, stdout, stderr)
		return statusFailed
	}
	o.values.Warn(stderr)
	s := &scaling{options: o, stdout: stdout, stderr: stderr}
	err = s.run(ctx)
	runtime.KeepAlive(s) // what was kept goes with it
	var f *failure
	switch {
	case err == nil:
		return 0
	case launch.IsClosed(err, stdout):
		return launch.StatusClosed
	case errors.As(err, &f):
		fmt.Fprintln(stderr, f.text)
		return f.status
	case ctx.Err() == nil:
		fmt.Fprintln(stderr, err)
	}
	return statusFailed
}

// scaling is one run of the command.
type scaling struct {
	*options
	stdout, stderr io.Writer
	in             *source
	table          *table   // the rows if they are not LIBSVM's
	cache          rowCache // the rows if they are LIBSVM's and few
}

// run goes through the steps in LIBSVM's order, which decides what is reported
// when several things are wrong: the data file is opened, the range file is
// opened, the data are read, and only then the range file's faults come.
func (s *scaling) run(ctx context.Context) error {
	var err error
	if s.in, err = openSource(ctx, s.data); err != nil {
		return cannotOpen(s.data, err)
	}
	defer s.in.close()
	if datafile.IsRegular(s.data, fileInfo(s.stdout)) {
		return &failure{status: statusFailed, text: fmt.Sprintf("can't open file %s: it is the standard output too", s.data)}
	}
	if s.restore == nil {
		return s.scale(ctx, nil, nil)
	}
	r, err := format.Open(*s.restore)
	if err != nil {
		return cannotOpen(*s.restore, err)
	}
	defer r.Close()
	watch := format.NewWatch(r)
	file, err := rangefile.Read(r)
	if err = watch.Check(err); err != nil {
		return s.scale(ctx, nil, err)
	}
	if s.in.foreign != nil {
		if err := s.loadLike(ctx, file); err != nil {
			return err
		}
	}
	return s.scale(ctx, file.Ranges, nil)
}

// scale measures the input and scales it, with the ranges of a file if there is
// one; fileErr is what was wrong with it.
func (s *scaling) scale(ctx context.Context, file *scale.Ranges, fileErr error) error {
	first, err := s.first(ctx)
	if changed := s.in.watch.Check(nil); changed != nil { // a table is read by now
		return s.dataError(ctx, changed)
	}
	if err != nil {
		return err
	}
	m, err := s.measure(ctx, first)
	if err = s.in.watch.Check(err); err != nil {
		return s.dataError(ctx, err)
	}
	if fileErr != nil {
		err := format.WithPath(plain(fileErr), *s.restore)
		return &failure{status: statusBadText, text: "ERROR: failed to read scaling parameters: " + err.Error()}
	}
	if m.HasZero() {
		fmt.Fprintln(s.stderr, "WARNING: minimal feature index is 0, but indices should start from 1")
	}
	r := m.Ranges(s.x, s.y)
	if file != nil {
		var unseen []int32
		r, unseen = scale.Restore(file, r)
		if err := s.warnUnseen(ctx, unseen, file, m.Rows()); err != nil {
			return err
		}
	}
	if s.save != nil {
		if err := s.saveRanges(ctx, r, m); err != nil {
			return err
		}
	}
	scaler := scale.NewScaler(r)
	covers := scaler.Covers(m)
	m.Release()
	if !covers {
		// some row may not scale; find it before any output
		if _, err := s.writeRows(ctx, m, scaler, io.Discard); err != nil {
			return err
		}
	}
	written, err := s.writeRows(ctx, m, scaler, s.stdout)
	if err != nil {
		return err
	}
	if written > m.Pairs() {
		fmt.Fprintf(s.stderr, "WARNING: original #nonzeros %d\n       > new      #nonzeros %d\n"+
			"If feature values are non-negative and sparse, use -l 0 rather than the default -l -1\n", m.Pairs(), written)
	}
	return nil
}

// first returns the rows for the first reading. Its errors are complete.
func (s *scaling) first(ctx context.Context) (batchReader, error) {
	if s.in.foreign == nil {
		if workers := s.workers(); workers > 1 {
			return s.newTextParts(s.in.first(), workers), nil
		}
		return newTextRows(s.in.first()), nil
	}
	if s.table == nil {
		if err := s.load(ctx); err != nil {
			return nil, err
		}
	}
	return s.table.rows(), nil
}

// reopen returns the rows from the start.
func (s *scaling) reopen() (batchReader, error) {
	switch {
	case s.table != nil:
		return s.table.rows(), nil
	case len(s.cache.batches) > 0:
		return s.cache.rows(), nil
	}
	in, err := s.in.reopen()
	return newTextRows(in), err
}

// measure measures rows and keeps them if they are few, and not in memory anyway.
func (s *scaling) measure(ctx context.Context, rows batchReader) (*scale.Measure, error) {
	m := new(scale.Measure)
	text, keep := rows.(textReader)
	size := int64(0)
	if keep {
		size = s.in.size()
		if _, one := rows.(*textRows); one {
			s.cache.begin(size)
		}
		defer s.cache.clear()
		defer text.end()
		text.useCache(&s.cache)
	}
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		b, err := rows.next()
		if err == io.EOF {
			return m, ctx.Err()
		}
		if err != nil {
			return nil, err
		}
		m.AddRows(b.all())
		if text != nil {
			s.cache.read += int64(text.read())
		}
		if !keep {
			continue
		}
		if s.cache.tooLarge(size) || !s.cache.add(b) {
			text.useCache(nil)
			s.cache.drop()
			keep = false
		}
	}
}

// writeRows reads the data again and writes them scaled.
func (s *scaling) writeRows(ctx context.Context, m *scale.Measure, scaler *scale.Scaler, w io.Writer) (written int64, err error) {
	out := s.newOutput(w, scale.NewPrinter(scaler))
	write := s.writeMany
	if s.alone(m, out.printer) {
		write = s.writeOne
	}
	n, pairs, err := write(ctx, out)
	if err != nil {
		return 0, err
	}
	if n != m.Rows() || pairs != m.Pairs() {
		return 0, s.dataError(ctx, format.ErrChanged)
	}
	if err := out.flush(); err != nil {
		return 0, cannotWrite("to standard output", err)
	}
	return out.pairs, nil
}

// writeOne writes the rows and returns their number and that of their pairs. Its errors are complete.
func (s *scaling) writeOne(ctx context.Context, out *output) (n int, pairs int64, err error) {
	rows, err := s.reopen()
	if err != nil {
		return 0, 0, s.dataError(ctx, err)
	}
	for {
		if ctx.Err() != nil {
			return 0, 0, ctx.Err()
		}
		b, err := rows.next()
		if err == io.EOF {
			return n, pairs, nil
		}
		if err != nil {
			return 0, 0, s.dataError(ctx, err)
		}
		all := b.all()
		for i := 0; i < b.len(); {
			if i, err = out.scale(all, i); err != nil {
				return 0, 0, s.dataError(ctx, rows.place(b, i, err))
			}
			if err := out.write(); err != nil {
				return 0, 0, cannotWrite("to standard output", err)
			}
		}
		n += b.len()
		pairs += int64(len(b.value))
	}
}

// dataError is the failure of an error in reading the data.
func (s *scaling) dataError(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	err = format.WithPath(plain(s.in.watch.Check(err)), s.data)
	if errors.Is(err, libsvmfmt.ErrLabel) || errors.Is(err, libsvmfmt.ErrEmptyLine) {
		return &failure{status: statusBadText, text: "ERROR: failed to read labels: " + err.Error()}
	}
	return &failure{status: statusFailed, text: err.Error()}
}

// cannotOpen is LIBSVM's message, with the reason unless it is that there is no
// such file.
func cannotOpen(path string, err error) error {
	text := "can't open file " + path
	if !errors.Is(err, fs.ErrNotExist) {
		text += ": " + plain(err).Error()
	}
	return &failure{status: statusFailed, text: text}
}

func cannotWrite(what string, err error) error {
	return &failure{status: statusFailed, text: fmt.Sprintf("can't write %s: %v", what, plain(err)), cause: err}
}

// plain returns the cause of an error of the operating system, whose own text
// would name the file again.
func plain(err error) error {
	var e *fs.PathError
	if errors.As(err, &e) {
		return e.Err
	}
	return err
}

// fileInfo returns what is known of a stream that is a file, else nil.
func fileInfo(w io.Writer) fs.FileInfo {
	if f, ok := w.(*os.File); ok {
		if info, err := f.Stat(); err == nil {
			return info
		}
	}
	return nil
}
