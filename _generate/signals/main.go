// Command signals writes the assembly of cmd/internal/launch. From this module:
//
//	go run ./signals -out ../cmd/internal/launch/note_linux_amd64.s -stubs ../cmd/internal/launch/note_stubs_linux_amd64.go -pkg launch
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

func main() {
	ConstraintExpr("!purego")
	note()
	relay()
	address("note")
	address("relay")
	Generate()
}

// note and relay are called by the system, which passes the signal's number as C does. They may run
// between any two instructions of any thread, so they leave alone what the runtime uses; the system
// restores all registers.
func note() {
	TEXT("note", NOSPLIT|NOFRAME, "func()")
	Doc("note is the handler of signals that are held: it sets the byte of the signal in noted.")
	mark()
	RET()
}

// Numbers of Linux on amd64.
const (
	getpid  = 39
	kill    = 62
	sigterm = 15
)

func relay() {
	TEXT("relay", NOSPLIT|NOFRAME, "func()")
	Doc("relay is the handler of signals that are passed on: it sets the byte of the signal in noted, and sends the process SIGTERM.")
	mark()
	MOVL(U32(getpid), EAX)
	SYSCALL()
	MOVL(EAX, EDI)
	MOVL(U32(sigterm), ESI)
	MOVL(U32(kill), EAX)
	SYSCALL()
	RET()
}

// mark sets the byte of the signal.
func mark() {
	LEAQ(NewDataAddr(Symbol{Name: "·noted"}, 0), RAX)
	MOVB(Imm(1), Mem{Base: RAX, Index: RDI, Scale: 1})
}

func address(handler string) {
	TEXT(handler+"Address", NOSPLIT, "func() uint64")
	Doc(handler + "Address returns where " + handler + " begins.")
	LEAQ(NewDataAddr(Symbol{Name: "·" + handler}, 0), RAX)
	Store(RAX, ReturnIndex(0))
	RET()
}
