package textscan

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// TestDecimalIsFloat compares Decimal with Float where it reads a number, and checks that it reads
// all that its comment promises.
func TestDecimalIsFloat(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	digits := func(n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte('0' + r.IntN(10))
		}
		return string(b)
	}
	behind := []string{",", " ", "\n", "\t", "e5,", "E-3,", ".", ".5", "x1", "f", ";", "/", ":", "-", "\x00", "\xff", "\xb0"}
	read := 0
	for range 200_000 {
		whole, frac := r.IntN(9), r.IntN(9)
		number := []string{"", "-", "+"}[r.IntN(3)] + digits(whole)
		if r.IntN(2) == 0 {
			number += "." + digits(frac)
		} else {
			frac = -1
		}
		end := behind[r.IntN(len(behind))]
		b := []byte(number + end + strings.Repeat("7", 20))
		v, n := Decimal(b)
		usual := whole >= 1 && whole <= 7 && (frac < 0 && end[0] != '.' || frac >= 1 && frac <= 7)
		want := 0
		if usual {
			want = len(number)
		}
		if n != want {
			t.Fatalf("Decimal(%q) read %d bytes, expected %d", b, n, want)
		}
		if n == 0 {
			continue
		}
		read++
		exact, used, err := Float(b[:n])
		if used != n || err != nil || math.Float64bits(v) != math.Float64bits(exact) {
			t.Fatalf("Decimal(%q) = %v, %d; Float has %v, %d, %v", b, v, n, exact, used, err)
		}
	}
	if read < 40_000 {
		t.Errorf("only %d of 200,000 numbers were read", read)
	}
}

// TestDecimalOfEveryShortNumber compares Decimal with strconv on all numbers of up to four digits
// and every place of the point.
func TestDecimalOfEveryShortNumber(t *testing.T) {
	for x := range 10_000 {
		for point := range 5 {
			text := strconv.Itoa(x)
			if point > 0 && point < len(text) {
				text = text[:point] + "." + text[point:]
			}
			for _, sign := range []string{"", "-"} {
				want, _ := strconv.ParseFloat(sign+text, 64)
				v, n := Decimal([]byte(sign + text + ",0,0,0,0,0,0,0,0,0,0"))
				if n != len(sign+text) || math.Float64bits(v) != math.Float64bits(want) {
					t.Fatalf("Decimal of %s: %v, %d bytes", sign+text, v, n)
				}
			}
		}
	}
}

// TestDecimalNeedsRoom has texts of every length up to the least that is read, within a guard.
func TestDecimalNeedsRoom(t *testing.T) {
	text := []byte("1234567.1234567,9")
	for n := range text {
		if _, used := Decimal(text[:n:n]); used != 0 {
			t.Errorf("of %d bytes %d were read", n, used)
		}
	}
	if v, n := Decimal(text); n != 15 || v != 1234567.1234567 {
		t.Errorf("%v, %d", v, n)
	}
}

// TestNatural compares Natural with Int on numbers of every length, and has what it does not read.
func TestNatural(t *testing.T) {
	for width := 1; width <= 9; width++ {
		digits := "907152834"[:width]
		for _, end := range []string{" ", ",", "}", "x", "/", ":", "\xff"} {
			b := []byte(digits + end + "12345678")
			want, used, err := Int(b)
			if width > 7 {
				want, used = 0, 0
			}
			if i, n := Natural(b); i != want || n != used || err != nil {
				t.Errorf("Natural(%q) = %d, %d, expected %d, %d", b, i, n, want, used)
			}
		}
	}
	for _, text := range []string{"", "1", "123456 ", "-1 23456", " 1234567", "+1234567", "12345678", "/1234567", ":1234567"} {
		if i, n := Natural([]byte(text)[:len(text):len(text)]); n != 0 {
			t.Errorf("Natural(%q) = %d, %d", text, i, n)
		}
	}
}

func BenchmarkDecimal(b *testing.B) {
	for _, text := range []string{"0,", "255,", "-0.123456,", "1234.5,"} {
		b.Run(text, func(b *testing.B) {
			line := []byte(text + "0,0,0,0,0,0,0,0,0,0")
			for b.Loop() {
				Decimal(line)
			}
		})
	}
}
