package lp

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
)

// WriteMPS writes the primal programme in free MPS format, with all digits. Numbers count from 0:
// rows r0, r1, ... are A x + y >= b; column yI is y_I; x_J is the difference of columns pJ and qJ,
// or, without a cost, the free column xJ. Elements of A that are 0 are left out.
func (p *Problem) WriteMPS(to io.Writer, name string) error {
	m, n := p.A.Dims()
	w := bufio.NewWriterSize(to, 1<<16)
	fmt.Fprintf(w, "NAME %s\nROWS\n N obj\n", name)
	for i := range m {
		fmt.Fprintf(w, " G r%d\n", i)
	}
	w.WriteString("COLUMNS\n")
	entry := func(column string, j int, row string, i int, v float64) {
		if v == 0 {
			return
		}
		b := append(w.AvailableBuffer(), ' ')
		b = append(append(b, column...), strconv.Itoa(j)...)
		b = append(append(b, ' '), row...)
		if i >= 0 {
			b = strconv.AppendInt(b, int64(i), 10)
		}
		b = strconv.AppendFloat(append(b, ' '), v, 'g', 17, 64)
		w.Write(append(b, '\n'))
	}
	for j := range n {
		column := p.A.Column(j)
		if p.Lower[j] == 0 && p.Upper[j] == 0 {
			for i, v := range column {
				entry("x", j, "r", i, v)
			}
			continue
		}
		entry("p", j, "obj", -1, p.Upper[j])
		for i, v := range column {
			entry("p", j, "r", i, v)
		}
		entry("q", j, "obj", -1, -p.Lower[j])
		for i, v := range column {
			entry("q", j, "r", i, -v)
		}
	}
	for i := range m {
		entry("y", i, "obj", -1, p.Cost[i])
		entry("y", i, "r", i, 1)
	}
	w.WriteString("RHS\n")
	for i, b := range p.B {
		entry("rhs", 0, "r", i, b)
	}
	w.WriteString("BOUNDS\n")
	for j := range n {
		if p.Lower[j] == 0 && p.Upper[j] == 0 {
			fmt.Fprintf(w, " FR bnd       x%d\n", j) // clp wants the fixed columns at this place
		}
	}
	w.WriteString("ENDATA\n")
	return w.Flush()
}
