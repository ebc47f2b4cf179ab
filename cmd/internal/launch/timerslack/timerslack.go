// Package timerslack has the monitor of Go's runtime sleep longer.
//
// The monitor is the thread that takes a processor away from a goroutine that waits for the system,
// and stops one that computes for long. It wakes up after 20 microseconds, fifty times, then after
// twice as many each time, up to 10,000, whether there is something to do or not. Linux adds up to
// 50, the timer slack, in which it may wake several threads at once. That makes sixty times in the
// first 25 milliseconds of a process. Where processors are virtual each takes 50 microseconds of
// one: of jobs that take 20 milliseconds it was a sixth.
//
// With a slack of five milliseconds it is ten times. A goroutine that waits for the system may then keep
// its processor for that much longer, which is half of what the monitor itself comes to.
//
// A thread can be given another slack only by itself, or by a process with rights that commands lack.
// So the package sends it a signal, whose handler does it. It imports nothing: that has it begin
// before the packages that import something, in the first fifth of a start.
package timerslack
