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
	noteAddress()
	Generate()
}

// note is called by the system, which passes the signal's number as C does. It may run between
// any two instructions of any thread, so it leaves alone what the runtime uses.
func note() {
	TEXT("note", NOSPLIT|NOFRAME, "func()")
	Doc("note is the handler of signals that are held: it sets the byte of the signal in noted.")
	LEAQ(NewDataAddr(Symbol{Name: "·noted"}, 0), RAX)
	MOVB(Imm(1), Mem{Base: RAX, Index: RDI, Scale: 1})
	RET()
}

func noteAddress() {
	TEXT("noteAddress", NOSPLIT, "func() uint64")
	Doc("noteAddress returns where note begins.")
	LEAQ(NewDataAddr(Symbol{Name: "·note"}, 0), RAX)
	Store(RAX, ReturnIndex(0))
	RET()
}
