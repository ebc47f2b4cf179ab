package format

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"sync"

	"github.com/slimsvm/slimsvm/internal/ended"
)

// A Replay lets an input be read several times. A regular file, or any other input that can seek,
// is read again from where it stood. Other input is kept during the first reading, in memory up to
// Memory bytes and then in a temporary file.
type Replay struct {
	// Memory is how many bytes are kept in memory before a temporary file is used. Change it only
	// before the first reading.
	Memory int

	// Context is the one given to NewReplay. Change it only before the first reading.
	Context context.Context

	src   io.Reader
	watch Watch     // over src, from the beginning
	seek  io.Seeker // nil: kept in spool
	start int64
	n     int64 // bytes that the first reading got
	err   error // how it ended; nil: it did not
	idle  int   // reads one after the other that got nothing
	spool spool
}

// replayMemory is the usual Replay.Memory.
const replayMemory = 16 << 20

// mostIdle is how many reads one after the other may get nothing, as in package bufio.
const mostIdle = 100

// NewReplay returns a Replay of src from where src stands. A reading ends with ctx's error when ctx
// ends, and with io.ErrNoProgress when src gives again and again neither bytes nor an error. The temporary file, if there is one, has no name where the system allows that, so it
// disappears with the process. Elsewhere it is removed by Close or when ctx is cancelled.
func NewReplay(ctx context.Context, src io.Reader) *Replay {
	p := &Replay{Memory: replayMemory, Context: ctx, src: src}
	if f, ok := src.(*os.File); ok {
		if p.watch = NewWatch(f); p.watch.file == nil {
			return p
		}
	}
	if s, ok := src.(io.Seeker); ok {
		if at, err := s.Seek(0, io.SeekCurrent); err == nil {
			p.seek, p.start = s, at
		}
	}
	return p
}

// First returns the input for its first reading.
func (p *Replay) First() io.Reader { return (*firstReading)(p) }

// Again returns the content of the first reading from its start, followed by the error that ended
// the first reading, or by io.EOF. It can be called several times; each call invalidates the reader
// of the one before. If a file has changed since NewReplay, Again returns [ErrChanged], and so does
// the end of each reading.
func (p *Replay) Again() (io.Reader, error) {
	if err := p.watch.Check(nil); err != nil {
		return nil, err
	}
	end := p.err
	if end == nil {
		end = io.EOF
	}
	if p.seek == nil {
		r, err := p.spool.reader()
		return &replayed{ctx: p.Context, r: r, left: p.n, end: end}, err
	}
	_, err := p.seek.Seek(p.start, io.SeekStart)
	return &replayed{ctx: p.Context, r: p.src, left: p.n, end: end, watch: p.watch}, err
}

// Close frees what is kept. It does not close the input.
func (p *Replay) Close() error {
	p.spool.drop()
	return nil
}

// firstReading is a Replay as it is read first.
type firstReading Replay

func (p *firstReading) Read(b []byte) (int, error) {
	if p.err != nil {
		return 0, p.err
	}
	if p.err = ended.Err(p.Context); p.err != nil {
		return 0, p.err
	}
	n, err := p.src.Read(b)
	if p.idle++; n > 0 || err != nil || len(b) == 0 {
		p.idle = 0
	}
	if p.idle == mostIdle {
		err = io.ErrNoProgress
	}
	if p.seek == nil && n > 0 {
		if e := p.spool.write(p.Context, p.Memory, b[:n]); e != nil {
			n, err = 0, e
		}
	}
	p.n += int64(n)
	if err == io.EOF {
		err = p.watch.Check(err)
	}
	p.err = err
	return n, err
}

// replayed is what was read first, read again.
type replayed struct {
	ctx   context.Context
	r     io.Reader
	left  int64
	end   error
	watch Watch
}

func (r *replayed) Read(b []byte) (int, error) {
	if r.left == 0 {
		return 0, r.watch.Check(r.end)
	}
	if err := ended.Err(r.ctx); err != nil {
		return 0, err
	}
	n, err := r.r.Read(b[:min(int64(len(b)), r.left)])
	r.left -= int64(n)
	if err == io.EOF {
		if err = nil; r.left > 0 {
			err = ErrChanged
		}
	}
	return n, err
}

// A spool keeps what is written to it.
type spool struct {
	memory [][]byte // one behind the other: a slice that grows would be copied again and again
	size   int      // of all of them
	file   *os.File // nil: all is in memory
	named  bool     // the file could not be removed while it is open
	once   sync.Once
	stop   func() bool // has the end of a context remove it no longer; nil: it would not
}

// leastSpooled and mostSpooled are how long a slice in memory is at least and at most; in between, it
// is as long as all before it.
const leastSpooled, mostSpooled = 4 << 10, 256 << 10

func (s *spool) write(ctx context.Context, most int, p []byte) error {
	if s.file == nil {
		if s.size+len(p) <= most {
			s.keep(p)
			return nil
		}
		if err := s.toFile(ctx); err != nil {
			return spoolError{err}
		}
	}
	if _, err := s.file.Write(p); err != nil {
		return spoolError{err}
	}
	return nil
}

// A spoolError is an error of a temporary file. It does not unwrap to the system's error: a caller
// that unwraps errors of the input would take that (no room, no such file) for one of the input.
type spoolError struct{ err error }

func (e spoolError) Error() string {
	return "what is read again needs room among temporary files: " + e.err.Error()
}

func (e spoolError) Is(target error) bool { return errors.Is(e.err, target) }

// keep appends p to what is in memory.
func (s *spool) keep(p []byte) {
	for len(p) > 0 {
		last := len(s.memory) - 1
		if last < 0 || len(s.memory[last]) == cap(s.memory[last]) {
			s.memory = append(s.memory, make([]byte, 0, min(max(s.size, leastSpooled), mostSpooled)))
			last++
		}
		m := &s.memory[last]
		n := min(len(p), cap(*m)-len(*m))
		*m = append(*m, p[:n]...)
		s.size += n
		p = p[n:]
	}
}

// toFile moves what is in memory to a temporary file.
func (s *spool) toFile(ctx context.Context) (err error) {
	ctx.Done() // as in Create
	if s.file, err = os.CreateTemp("", "slimsvm-*"); err != nil {
		return err
	}
	memory := s.memory
	s.memory = nil
	if os.Remove(s.file.Name()) != nil {
		s.removeOnEnd(ctx)
	}
	for _, m := range memory {
		if _, err = s.file.Write(m); err != nil {
			break
		}
	}
	return err
}

func (s *spool) reader() (io.Reader, error) {
	if s.file == nil {
		var all []io.Reader
		for _, m := range s.memory {
			all = append(all, bytes.NewReader(m))
		}
		return io.MultiReader(all...), nil
	}
	_, err := s.file.Seek(0, io.SeekStart)
	return s.file, err
}

// removeOnEnd has the file, which still has a name, removed when ctx ends, if it is there then.
func (s *spool) removeOnEnd(ctx context.Context) {
	s.named = true
	s.stop = context.AfterFunc(ctx, s.remove)
}

func (s *spool) drop() {
	s.memory = nil
	if s.stop != nil {
		s.stop()
	}
	if s.file != nil {
		s.remove()
	}
}

// remove closes the file, which then is gone. The end of a context may come to it at any time.
func (s *spool) remove() {
	s.once.Do(func() {
		s.file.Close()
		if s.named {
			os.Remove(s.file.Name())
		}
	})
}
