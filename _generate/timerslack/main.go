// Command timerslack writes the assembly of cmd/internal/launch/timerslack. From this module:
//
//	go run ./timerslack -out ../cmd/internal/launch/timerslack/calls_linux_amd64.s -stubs ../cmd/internal/launch/timerslack/calls_stubs_linux_amd64.go -pkg timerslack
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Numbers of Linux system calls on amd64.
const (
	rtSigaction = 13
	getpid      = 39
	prctl       = 157
	tgkill      = 234

	setTimerSlack = 29 // an option of prctl
)

// wait is how much later than requested the system may wake a thread with this slack.
const wait = 5_000_000 // nanoseconds

func main() {
	ConstraintExpr("!purego")
	handler()
	address()
	process()
	tell()
	action()
	Generate()
}

// handler may run between any two instructions of a thread, so it leaves alone what the runtime
// uses; the system restores all registers.
func handler() {
	TEXT("handler", NOSPLIT|NOFRAME, "func()")
	Doc("handler is called by the system in the thread that has been told. It has the system let that thread sleep five milliseconds longer.")
	MOVL(U32(setTimerSlack), EDI)
	MOVL(U32(wait), ESI)
	call(prctl)
	RET()
}

func address() {
	TEXT("address", NOSPLIT, "func() uint64")
	Doc("address returns where handler begins.")
	LEAQ(NewDataAddr(Symbol{Name: "·handler"}, 0), RAX)
	Store(RAX, ReturnIndex(0))
	RET()
}

func process() {
	TEXT("process", NOSPLIT, "func() int")
	Doc("process returns the number of the process, which is that of its first thread.")
	call(getpid)
	Store(RAX, ReturnIndex(0))
	RET()
}

func tell() {
	TEXT("tell", NOSPLIT, "func(process, thread, signal int) int")
	Doc("tell sends a thread of the process a signal. It returns 0 when there is that thread.")
	Load(Param("process"), RDI)
	Load(Param("thread"), RSI)
	Load(Param("signal"), RDX)
	call(tgkill)
	Store(RAX, ReturnIndex(0))
	RET()
}

func action() {
	TEXT("action", NOSPLIT, "func(signal int, set, before *[4]uint64)")
	Pragma("noescape")
	Doc("action sets what the system does when a signal comes, unless set is nil, and stores what it did, unless before is nil.")
	Load(Param("signal"), RDI)
	Load(Param("set"), RSI)
	Load(Param("before"), RDX)
	MOVL(U32(8), R10L) // bytes of a signal mask
	call(rtSigaction)
	RET()
}

// call makes a system call, which preserves all registers but AX, CX and R11.
func call(number uint32) {
	MOVL(U32(number), EAX)
	SYSCALL()
}
