package format

import (
	"bufio"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

// Open opens the file at path for reading. A directory is an error.
//
// A file packed by gzip, zstd, bzip2 or xz is recognised by its first bytes,
// whatever its name, and what is read is its content; several packed files one
// after the other are the file of their contents. Packed data that are corrupt,
// cut off (that a file of two bytes or three was to be bzip2's does not show; one of
// none is, if its name says that it is packed) or followed by something else are an *Error with the path, after the content that
// could be read. Reading holds no more memory than 128 MiB and some buffers; xz's leaves garbage, so that
// the process takes up to twice that. Data that refer back further, as zstd --long=28 may write them, are an error,
// and so are xz's filters other than LZMA2.
//
// A text in UTF-16 that begins with a byte order mark, packed or not, is read as UTF-8 without the
// mark. Of an odd number of bytes the last is an *Error, and half of a pair of surrogates becomes
// three bytes that are no UTF-8.
//
// A regular file that is neither packed nor in UTF-16 is returned as the *os.File, at its start.
func Open(path string) (io.ReadCloser, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && info.IsDir() {
		err = &fs.PathError{Op: "read", Path: path, Err: errors.New("is a directory")}
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return unpackFile(f, path, info.Mode().IsRegular()), nil
}

// An Output is a file being written. It takes its name only when Close
// succeeds: until then, and after Abort, whatever the name held before is
// untouched. Devices, pipes and other special files are written directly, and so are
// the process's own streams by names such as /dev/stdout and /dev/fd/3: they keep what
// they hold. A file that may be written but not replaced, as one that is mounted by
// itself or whose folder takes no new ones, is written over by Close, if there is room for
// all of it; until then what is written is in a temporary file, or, where none can be made, in memory.
// Permissions stay, on Linux with a list of who else may access the file, and the owner, if the process may give files
// away, or else the group, if the process may do that; other hard links keep what the file was.
type Output struct {
	path string         // the caller's; file may have a temporary name
	pack io.WriteCloser // packs what goes to w; nil: nothing does
	w    *bufio.Writer
	file io.WriteCloser
	ctx  context.Context
	stop func() bool // ends the watch on the context

	finishing sync.Mutex // guards failed, and is held while what is left is written
	failed    error      // of Complete

	mu       sync.Mutex // guards what follows against the watch
	pending  *pending
	complete bool // nothing more may be written
	done     bool
	dropped  error // why there is nothing to close; nil: by Abort, or closed
}

// Create begins to write a file at path. When ctx is cancelled before Close has written
// all that is left, the file is dropped at once, as by Abort, and who waits for a pipe's other end
// waits no more. A symbolic link at path stays and the file that it leads to is written.
//
// What is written is packed if path ends in .gz, by gzip, or in .zst, by zstd. A
// path that ends in .bz2 or .xz asks for what is not done: see CheckOutput.
func Create(ctx context.Context, path string) (*Output, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err := CheckOutput(path); err != nil {
		return nil, err
	}
	ctx.Done() // before there is a file: a context may watch from the first time it is asked
	o := &Output{path: path}
	if err := o.open(ctx); err != nil {
		return nil, o.named(err)
	}
	o.begin(ctx)
	return o, nil
}

// begin makes the open file ready for writing, until ctx is cancelled.
func (o *Output) begin(ctx context.Context) {
	o.w = bufio.NewWriterSize(o.file, 64<<10)
	o.pack = packer(o.path, o.w)
	o.ctx = ctx
	o.stop = context.AfterFunc(ctx, func() { o.drop(context.Cause(ctx)) })
}

// open opens the file for writing, by a temporary name where that is possible.
func (o *Output) open(ctx context.Context) error {
	info, err := os.Stat(o.path)
	exists := err == nil
	if !exists && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	path, plain := target(o.path)
	var own io.WriteCloser
	if exists && !info.IsDir() {
		if own, err = ownStream(o.path, info); err != nil {
			return err
		}
	}
	switch {
	case o.path == "": // which would be the current directory to the calls below
		return err
	case exists && info.IsDir():
		return isFolder(path)
	case own != nil:
		o.file = own
		return nil
	case exists && !info.Mode().IsRegular():
		o.file, err = openSpecial(ctx, o.path, info)
		return err
	case exists: // a file that may not be written may not be replaced either
		if err := openable(o.path); err != nil {
			return err
		}
	}
	if exists && !plain { // one that has no name of its own any more
		o.pending, o.file = newPendingElsewhere(o.path)
		return nil
	}
	o.pending, o.file, err = newPending(path)
	if exists && takesNone(err) {
		o.pending, o.file = newPendingElsewhere(path)
		return nil
	}
	return err
}

// isFolder returns the error of a folder where a file is to be.
func isFolder(path string) error {
	return &fs.PathError{Op: "create", Path: path, Err: errors.New("is a directory")}
}

// openable returns the error, if any, with which a file that is there can't be written.
func openable(path string) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return f.Close()
}

// TryOutput returns an error if Create would refuse a path as things stand: for its name,
// a folder that is not there or takes no new file, a file that may not be written. It
// is for who has much to do before there is something to write. Whatever is at the path
// keeps what it holds; of streams and devices nothing is asked.
func TryOutput(path string) error {
	if err := CheckOutput(path); err != nil || IsStream(path) {
		return err
	}
	o := &Output{path: path}
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		err = isFolder(path)
	case err == nil && info.Mode().IsRegular():
		err = openable(path)
	case err != nil && path != "" && errors.Is(err, fs.ErrNotExist):
		to, _ := target(path)
		err = takesFile(to)
	}
	return o.named(err)
}

// mostLinks bounds a chain of symbolic links, as the system does.
const mostLinks = 40

// target returns where the symbolic links at path lead, be there a file or not.
// plain is false where they lead to something that has no path of its own, such
// as an open pipe among a process's files.
func target(path string) (to string, plain bool) {
	to = path
	for range mostLinks {
		if resolved, err := filepath.EvalSymlinks(to); err == nil {
			return resolved, true
		}
		link, err := os.Readlink(to)
		if err != nil {
			break
		}
		to = beside(to, link)
	}
	return to, false
}

// beside returns where the link at path leads.
func beside(path, link string) string {
	if filepath.IsAbs(link) {
		return link
	}
	return filepath.Dir(path) + string(filepath.Separator) + link
}

// named puts the caller's path in the place of another in an error of the system.
func (o *Output) named(err error) error {
	if d := (*damage)(nil); errors.As(err, &d) {
		return &damage{d.kept, o.named(d.err)}
	}
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		return &fs.PathError{Op: p.Op, Path: o.path, Err: p.Err}
	}
	if l := (*os.LinkError)(nil); errors.As(err, &l) {
		return &fs.PathError{Op: l.Op, Path: o.path, Err: l.Err}
	}
	return err
}

// Write writes to the file.
func (o *Output) Write(p []byte) (n int, err error) {
	o.look()
	if err := o.over(nil); err != nil {
		return 0, err // a writer that packs may panic after its Close
	}
	if o.pack != nil {
		n, err = o.pack.Write(p)
	} else {
		n, err = o.w.Write(p)
	}
	if err != nil {
		err = o.over(o.named(err))
	}
	return n, err
}

// over returns the error of what is done after the end, or err before it.
func (o *Output) over(err error) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.done || o.complete && err == nil {
		return o.ended()
	}
	return err
}

// ended returns the error of what is done after the end.
func (o *Output) ended() error {
	err := o.dropped
	if err == nil {
		err = fs.ErrClosed
	}
	return &fs.PathError{Op: "write", Path: o.path, Err: err}
}

// Complete writes all that is left to be written, after which nothing more may be. It
// leaves to Close to give the file its name, for who has several files that are to
// take their names all or none. After a failure Close fails too.
func (o *Output) Complete() error { return o.named(o.finish()) }

// finish does the work of Complete, once. It may have to wait for who reads what is written, and drop
// does not wait for it: that closes the file.
func (o *Output) finish() error {
	o.finishing.Lock()
	defer o.finishing.Unlock()
	o.look()
	o.mu.Lock()
	due := !o.done && !o.complete
	o.complete = true
	o.mu.Unlock()
	if due {
		o.failed = o.flush()
		o.look()
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.done {
		return o.ended()
	}
	return o.failed
}

// flush writes all that is left to be written.
func (o *Output) flush() (err error) {
	if o.pack != nil {
		err = o.pack.Close()
	}
	if err == nil {
		err = o.w.Flush()
	}
	if err == nil && o.pending != nil {
		err = o.file.Close()
	}
	return err
}

// Close completes the file and gives it its name. After a failure there is no
// such file, or the one that was there before.
func (o *Output) Close() error {
	err := o.finish()
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.done {
		return o.ended()
	}
	o.done = true
	o.stop()
	if o.pending == nil {
		if e := o.file.Close(); err == nil {
			err = e
		}
		return o.named(err)
	}
	if err == nil {
		err = o.pending.AtomicallyReplace()
	}
	if e := o.pending.Cleanup(); err == nil {
		err = e
	}
	return o.named(err)
}

// Abort drops the file. After Close it does nothing, so it may be deferred.
func (o *Output) Abort() {
	o.stop()
	o.drop(nil)
}

// look drops the file if the context has ended, which the watch may be late to see.
func (o *Output) look() {
	if o.ctx.Err() != nil {
		o.drop(context.Cause(o.ctx))
	}
}

// drop drops the file for the given reason.
func (o *Output) drop(reason error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.done {
		return
	}
	o.done = true
	o.dropped = reason
	if o.pending == nil {
		o.file.Close()
		return
	}
	o.pending.Cleanup()
}
