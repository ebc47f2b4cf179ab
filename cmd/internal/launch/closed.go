package launch

import (
	"errors"
	"io"
	"io/fs"
)

// standardOutput is what errors of an output "-" call it.
const standardOutput = "standard output"

// StatusClosed is the exit status for a run whose standard output was closed by whoever read it, as head does when it
// has seen enough. There is nothing to say then, but the run is no success. [Main] ends the process by SIGPIPE,
// as that ends other commands; shells show this status.
const StatusClosed = 141

// IsClosed reports whether an error is that whoever read standard output has closed it. Another output that is
// closed is an error like others, and so is a full disk.
func IsClosed(err error, stdout io.Writer) bool {
	var of *fs.PathError
	file, ok := stdout.(interface{ Name() string })
	return ok && isBroken(err) && errors.As(err, &of) && (of.Path == file.Name() || of.Path == standardOutput)
}

// Reason returns an error of the system without operation and path in its text, for messages that name the file
// as the user does.
func Reason(err error) error {
	if e := (*fs.PathError)(nil); errors.As(err, &e) {
		return reason{e}
	}
	return err
}

type reason struct{ of *fs.PathError }

// Error implements error.
func (r reason) Error() string { return r.of.Err.Error() }

// Unwrap returns the whole error.
func (r reason) Unwrap() error { return r.of }
