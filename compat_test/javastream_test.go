package compat_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"unicode/utf16"
)

// A javaObject is an object of a Java serialisation stream: its fields by name, of all its classes.
// Values are int64 (every integer type, characters and booleans), float64, string (a constant of an
// enumeration too), *javaObject, *javaArray or nil.
type javaObject struct {
	class  string
	fields map[string]any
}

// A javaArray is an array of such a stream.
type javaArray struct {
	numbers []float64 // of double and float
	values  []any     // of any other type but byte
	bytes   []byte
}

// parseJava reads a stream of Java's object serialisation protocol, version 5 (Java
// Object Serialization Specification, chapter 6), and returns its first object.
// What classes write by themselves, hash tables for one, is passed over.
func parseJava(stream []byte) (_ any, err error) {
	p := &javaParser{rest: stream}
	defer func() {
		if fault, ok := recover().(javaFault); ok {
			err = fmt.Errorf("Java stream, byte %d: %w", len(stream)-len(p.rest), fault.error)
		}
	}()
	if p.uint(4) != 0xaced0005 {
		p.fail(errors.New("not a serialisation stream"))
	}
	return p.content(), nil
}

// A javaFault ends a parse.
type javaFault struct{ error }

// A javaParser reads a stream; its methods panic with a javaFault.
type javaParser struct {
	rest    []byte
	handles []any
}

// A javaClass is a class descriptor.
type javaClass struct {
	name   string
	flags  byte
	fields []javaField
	super  *javaClass
}

type javaField struct {
	kind byte
	name string
}

// Tags of contents and flags of classes.
const (
	javaNull, javaReference, javaClassDesc, javaObjectTag, javaString   = 0x70, 0x71, 0x72, 0x73, 0x74
	javaArrayTag, javaBlock, javaEndBlock, javaBlockLong, javaStringBig = 0x75, 0x77, 0x78, 0x7a, 0x7c
	javaEnum                                                            = 0x7e

	javaFirstHandle  = 0x7e0000
	javaWriteMethod  = 1
	javaSerializable = 2
)

// end is what content returns for the end of a class's own data.
var end = new(struct{ byte })

func (p *javaParser) fail(err error) { panic(javaFault{err}) }

func (p *javaParser) take(n int) []byte {
	if n < 0 || n > len(p.rest) {
		p.fail(errors.New("the stream ends too early"))
	}
	b := p.rest[:n]
	p.rest = p.rest[n:]
	return b
}

func (p *javaParser) uint(bytes int) uint64 {
	var b [8]byte
	copy(b[8-bytes:], p.take(bytes))
	return binary.BigEndian.Uint64(b[:])
}

// keep gives a handle to what the stream may refer to, and returns its position.
func (p *javaParser) keep(v any) int {
	p.handles = append(p.handles, v)
	return len(p.handles) - 1
}

// text reads text of n bytes in Java's UTF-8, in which surrogates are characters.
func (p *javaParser) text(n int) string {
	b := p.take(n)
	var units []uint16
	for i := 0; i < len(b); {
		switch c := b[i]; {
		case c < 0x80:
			units = append(units, uint16(c))
			i++
		case c < 0xe0 && i+1 < len(b):
			units = append(units, uint16(c&0x1f)<<6|uint16(b[i+1]&0x3f))
			i += 2
		case i+2 < len(b):
			units = append(units, uint16(c&0xf)<<12|uint16(b[i+1]&0x3f)<<6|uint16(b[i+2]&0x3f))
			i += 3
		default:
			p.fail(errors.New("text ends within a character"))
		}
	}
	return string(utf16.Decode(units))
}

// content reads one object, block of data, or end.
func (p *javaParser) content() any {
	switch tag := p.uint(1); tag {
	case javaNull:
		return nil
	case javaReference:
		n := int(p.uint(4)) - javaFirstHandle
		if n < 0 || n >= len(p.handles) {
			p.fail(fmt.Errorf("there is no handle %d", n))
		}
		return p.handles[n]
	case javaString:
		at := p.keep(nil)
		p.handles[at] = p.text(int(p.uint(2)))
		return p.handles[at]
	case javaStringBig:
		at := p.keep(nil)
		p.handles[at] = p.text(int(p.uint(8)))
		return p.handles[at]
	case javaBlock:
		return p.take(int(p.uint(1)))
	case javaBlockLong:
		return p.take(int(p.uint(4)))
	case javaEndBlock:
		return end
	case javaObjectTag:
		class := p.class()
		o := &javaObject{class.name, map[string]any{}}
		p.keep(o)
		p.object(o, class)
		return o
	case javaArrayTag:
		class := p.class()
		a := new(javaArray)
		p.keep(a)
		p.array(a, (class.name + "??")[1])
		return a
	case javaEnum:
		p.class()
		at := p.keep(nil)
		p.handles[at] = p.content()
		return p.handles[at]
	case javaClassDesc:
		return p.newClass()
	default:
		p.fail(fmt.Errorf("tag %#x is unknown", tag))
		return nil
	}
}

// class reads a class descriptor or a reference to one.
func (p *javaParser) class() *javaClass {
	class, ok := p.content().(*javaClass)
	if !ok {
		p.fail(errors.New("expected a class"))
	}
	return class
}

func (p *javaParser) newClass() *javaClass {
	class := &javaClass{name: p.text(int(p.uint(2)))}
	p.take(8) // serial version
	p.keep(class)
	class.flags = p.take(1)[0]
	for range p.uint(2) {
		f := javaField{kind: p.take(1)[0]}
		f.name = p.text(int(p.uint(2)))
		if f.kind == 'L' || f.kind == '[' {
			p.content() // the name of its type
		}
		class.fields = append(class.fields, f)
	}
	p.skip()
	class.super, _ = p.content().(*javaClass)
	return class
}

// skip passes over contents up to the next end.
func (p *javaParser) skip() {
	for p.content() != any(end) {
	}
}

// object reads the fields of a class, those of its superclasses first.
func (p *javaParser) object(o *javaObject, class *javaClass) {
	if class.super != nil {
		p.object(o, class.super)
	}
	if class.flags&javaSerializable == 0 {
		p.fail(fmt.Errorf("class %s writes itself", class.name))
	}
	for _, f := range class.fields {
		o.fields[f.name] = p.value(f.kind)
	}
	if class.flags&javaWriteMethod != 0 {
		p.skip()
	}
}

func (p *javaParser) value(kind byte) any {
	switch kind {
	case 'B':
		return int64(int8(p.uint(1)))
	case 'Z':
		return int64(p.uint(1))
	case 'C', 'S':
		return int64(int16(p.uint(2)))
	case 'I':
		return int64(int32(p.uint(4)))
	case 'J':
		return int64(p.uint(8))
	case 'F':
		return float64(math.Float32frombits(uint32(p.uint(4))))
	case 'D':
		return math.Float64frombits(p.uint(8))
	case 'L', '[':
		return p.content()
	}
	p.fail(fmt.Errorf("type %q is unknown", kind))
	return nil
}

func (p *javaParser) array(a *javaArray, kind byte) {
	n := int(int32(p.uint(4)))
	if kind == 'B' {
		a.bytes = p.take(n)
		return
	}
	for range n {
		v := p.value(kind)
		if x, ok := v.(float64); ok {
			a.numbers = append(a.numbers, x)
		} else {
			a.values = append(a.values, v)
		}
	}
}
