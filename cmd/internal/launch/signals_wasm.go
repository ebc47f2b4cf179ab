package launch

import "os"

// ending are the signals that end a command. WebAssembly has none, and whoever asks Go for
// one gets a panic.
var ending []os.Signal

// keepPipes does nothing: there is no signal of a closed pipe.
func keepPipes() {}
