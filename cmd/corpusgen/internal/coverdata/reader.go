package coverdata

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
)

var errMalformed = errors.New("malformed coverage data")

// compare orders blocks by file and position.
func compare(a, b Block) int {
	return cmp.Or(strings.Compare(a.File, b.File),
		cmp.Compare(a.Start.Line, b.Start.Line), cmp.Compare(a.Start.Column, b.Start.Column),
		cmp.Compare(a.End.Line, b.End.Line), cmp.Compare(a.End.Column, b.End.Column),
		cmp.Compare(a.Statements, b.Statements))
}

// A reader reads numbers and strings. After an error it reads zeros.
type reader struct {
	b   []byte
	at  int
	err error
}

// bytes returns the next n bytes, which may be fewer than n after an error.
func (r *reader) bytes(n uint64) []byte {
	if r.err != nil || n > uint64(len(r.b)-r.at) {
		r.err = errMalformed
		return nil
	}
	r.at += int(n)
	return r.b[r.at-int(n) : r.at]
}

func (r *reader) skip(n uint64) { r.bytes(n) }

// part returns n bytes at an offset from the start.
func (r *reader) part(offset, n uint64) []byte {
	if size := uint64(len(r.b)); r.err != nil || offset > size || n > size-offset {
		r.err = errMalformed
		return nil
	}
	return r.b[offset : offset+n]
}

// header reads the magic bytes and the version of a file.
func (r *reader) header(magic, what string) error {
	if string(r.bytes(4)) != magic {
		return fmt.Errorf("not a file of %s", what)
	}
	if v := r.uint32(); r.err == nil && v != version {
		return fmt.Errorf("%s of version %d, where corpusgen reads version %d: use a corpusgen for this Go release", what, v, version)
	}
	return r.err
}

func (r *reader) byte() byte {
	if b := r.bytes(1); b != nil {
		return b[0]
	}
	return 0
}

func (r *reader) uint32() uint32 {
	if b := r.bytes(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

func (r *reader) uint64() uint64 {
	if b := r.bytes(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

func (r *reader) uint32s(n uint64) (all []uint32) {
	for ; n > 0 && r.err == nil; n-- {
		all = append(all, r.uint32())
	}
	return all
}

func (r *reader) uint64s(n uint64) (all []uint64) {
	for ; n > 0 && r.err == nil; n-- {
		all = append(all, r.uint64())
	}
	return all
}

// uleb reads a number in the encoding LEB128.
func (r *reader) uleb() (n uint64) {
	for shift := 0; shift < 64; shift += 7 {
		b := r.byte()
		n |= uint64(b&0x7f) << shift
		if b&0x80 == 0 {
			return n
		}
	}
	r.err = errMalformed
	return 0
}

// strings reads a table of strings.
func (r *reader) strings() (all []string) {
	for n := r.uleb(); n > 0 && r.err == nil; n-- {
		all = append(all, string(r.bytes(r.uleb())))
	}
	return all
}
