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
	"sync/atomic"

	"github.com/slimsvm/slimsvm/internal/ended"
)

// Open opens the file at path for reading. It returns the uncompressed content as UTF-8. A
// directory is an error.
//
// Compression by gzip, zstd, bzip2 or xz is recognised by the first bytes, whatever the file's
// name. The content of several compressed files in one, one after the other, is their contents
// joined. Compressed data that are corrupt, cut off or followed by something else are an [*Error]
// with the path, which comes after the content that could be read. (Check sums come last: where
// content has a fault, [Watch.Check] tells whether it comes from damage. An empty file is cut off
// if its name says that it is compressed. A bzip2 file cut to two or three bytes is not recognised
// as one.) Reading holds at most 128 MiB and some buffers; with xz the process may take up to twice
// that until garbage is collected. Data that refer back further than 128 MiB, as zstd --long=28 may
// write them, and xz filters other than LZMA2 are errors.
//
// UTF-16 that begins with a byte order mark, compressed or not, is converted to UTF-8 without the
// mark. If the number of bytes is odd, the last byte is an [*Error]. An unpaired surrogate becomes
// three bytes that are not valid UTF-8.
//
// A regular file that is neither compressed nor UTF-16 is returned as the *os.File, at its start. Of
// one that is, a goroutine uncompresses the next 256 KiB while the last are being read, if GOMAXPROCS
// is more than 1. Close waits for it.
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

// An Output is a file being written. The file takes its name only when [Output.Close] succeeds:
// until then, and after [Output.Abort], a file of that name stays as it was.
//
//   - Devices, pipes and other special files, and the process's own streams by names such as
//     /dev/stdout and /dev/fd/3, are written directly. What was written to them stays.
//   - A file that may be written but not replaced (a mount point, or a file in a directory that
//     takes no new files) is written over by Close if there is room for all of the content. Until
//     then the content is in a temporary file or, if none can be made, in memory.
//   - A replaced file keeps its permissions, on Linux with its access control list. It keeps its
//     owner if the process may change owners, else its group if the process may set that. Other
//     hard links keep the old content.
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

// Create begins to write a file at path. Call [Output.Close] to complete it; defer [Output.Abort]
// to drop it on errors. If ctx is cancelled before Close has written everything, the file is
// dropped as by Abort, and a wait for the other end of a named pipe ends. Errors then wrap ctx's
// error and its cause. If path is a symbolic link, the file it leads to is written.
//
// If path ends in .gz, the content is compressed by gzip, and if it ends in .zst, by zstd. A path
// that ends in .bz2 or .xz is an error: see [CheckOutput].
func Create(ctx context.Context, path string) (*Output, error) {
	if ctx.Err() != nil {
		return nil, ended.Err(ctx)
	}
	if err := CheckOutput(path); err != nil {
		return nil, err
	}
	ctx.Done() // before there is a file: a context may watch from the first time it is asked
	o := &Output{path: path}
	unfinished.Add(1)
	if err := o.open(ctx); err != nil {
		unfinished.Add(-1)
		return nil, o.named(err)
	}
	o.begin(ctx)
	return o, nil
}

// unfinished is how many outputs there are that are neither closed nor dropped.
var unfinished atomic.Int64

// Unfinished returns how many outputs of this process are neither closed nor dropped yet. A process
// that ends because a context ended, and would leave temporary files if it did so at once, waits
// until there are none.
func Unfinished() int { return int(unfinished.Load()) }

// begin makes the open file ready for writing, until ctx is cancelled.
func (o *Output) begin(ctx context.Context) {
	o.w = bufio.NewWriterSize(o.file, 64<<10)
	o.pack = packer(o.path, o.w)
	o.ctx = ctx
	o.stop = context.AfterFunc(ctx, func() { o.drop(ended.Err(ctx)) })
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

// TryOutput returns an error if [Create] would fail at present: because of the name, a directory
// that does not exist or cannot take a new file, or a file that may not be written. Call it before
// long work whose result goes to path. The content of a file at path is not touched. Streams and
// devices are not tested.
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

// named puts the caller's path in the place of another in an error of the system. What the error leaves of
// files stays with its reason, which is all that some commands print.
func (o *Output) named(err error) error {
	of := func(err error) error { return err }
	if a := (*aftermath)(nil); errors.As(err, &a) {
		of = func(err error) error { return &aftermath{err, a.says} }
	}
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		return &fs.PathError{Op: p.Op, Path: o.path, Err: of(p.Err)}
	}
	if l := (*os.LinkError)(nil); errors.As(err, &l) {
		return &fs.PathError{Op: l.Op, Path: o.path, Err: of(l.Err)}
	}
	return err
}

// Write writes to the file.
func (o *Output) Write(p []byte) (n int, err error) {
	o.dropIfCancelled()
	if err := o.endedOr(nil); err != nil {
		return 0, err // a writer that packs may panic after its Close
	}
	if o.pack != nil {
		n, err = o.pack.Write(p)
	} else {
		n, err = o.w.Write(p)
	}
	if err != nil {
		err = o.endedOr(o.named(err))
	}
	return n, err
}

// endedOr returns the error of what is done after the end, or err before it.
func (o *Output) endedOr(err error) error {
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

// Complete writes everything that is still buffered; nothing can be written afterwards. The file
// takes its name in Close. Use it, or [CloseAll], for several files that must take their names
// together. If Complete fails, Close fails too.
func (o *Output) Complete() error { return o.named(o.finish()) }

// finish does the work of Complete, once. It may have to wait for the reader of a pipe. drop does not
// wait for finish but closes the file.
func (o *Output) finish() error {
	o.finishing.Lock()
	defer o.finishing.Unlock()
	o.dropIfCancelled()
	o.mu.Lock()
	due := !o.done && !o.complete
	o.complete = true
	o.mu.Unlock()
	if due {
		o.failed = o.flush()
		o.dropIfCancelled()
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

// Close completes the file and gives it its name. If it fails, the name is as before: absent, or
// that of the earlier file.
func (o *Output) Close() error {
	err := o.finish()
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.done {
		return o.ended()
	}
	o.done = true
	defer unfinished.Add(-1)
	o.stop()
	if o.pending == nil {
		if e := o.file.Close(); err == nil {
			err = e
		}
		return o.named(err)
	}
	defer o.pending.settle()
	if err == nil {
		err = o.pending.AtomicallyReplace()
	}
	switch e := o.pending.Cleanup(); {
	case err == nil:
		err = e
	case e != nil && !errors.Is(e, fs.ErrNotExist): // as in a folder where files may only be added to
		err = &aftermath{err, o.pending.file.Name() + " cannot be removed, and stays"}
	}
	return o.named(err)
}

// Abort drops the file. After Close it does nothing, so it can be deferred.
func (o *Output) Abort() {
	o.stop()
	o.drop(nil)
}

// dropIfCancelled drops the file if the context has ended, which the watch may be late to see.
func (o *Output) dropIfCancelled() {
	if o.ctx.Err() != nil {
		o.drop(ended.Err(o.ctx))
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
	defer unfinished.Add(-1)
	o.dropped = reason
	if o.pending == nil {
		o.file.Close()
		return
	}
	o.pending.Cleanup()
}
