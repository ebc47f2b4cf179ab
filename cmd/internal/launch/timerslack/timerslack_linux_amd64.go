//go:build !purego

package timerslack

//go:generate sh -c "cd ../../../../_generate && go run ./timerslack -out ../cmd/internal/launch/timerslack/calls_linux_amd64.s -stubs ../cmd/internal/launch/timerslack/calls_stubs_linux_amd64.go -pkg timerslack"

// What the system does when a signal comes is four words in its own form: a handler, flags, what the handler returns to,
// and the signals that are held meanwhile.
const (
	handlerAt = 0
	returnAt  = 2
)

const (
	// signal tells a thread. Neither the runtime nor a program uses it: it is for what C libraries do among
	// their threads.
	signal = 32

	// handled is a signal that the runtime handles wherever it can.
	handled = 15

	// nearby is among how many numbers after that of the process its second thread is looked for. The second thread is
	// the monitor. Where another one has such a number, or none has, nothing is lost.
	nearby = 16
)

func init() { setSlack() }

// setSlack tells the monitor. The handler runs as those of the runtime do: on the stack for signals, with all others held.
func setSlack() {
	var does [4]uint64
	action(handled, nil, &does)
	if does[returnAt] == 0 { // it handles none
		return
	}
	does[handlerAt] = address()
	action(signal, &does, nil)
	p := process()
	for n := 1; n <= nearby; n++ {
		if tell(p, p+n, signal) == 0 {
			return
		}
	}
}
