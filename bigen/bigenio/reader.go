package bigenio

import (
	"io"

	"github.com/espalier-go/espalier/bigen"
)

// A Reader is an [io.Reader] that returns what its script says, up to the first [io.EOF]. After it,
// Read returns io.EOF.
type Reader struct {
	Script []Step
	next   int // step
	read   int // bytes of it
}

// A Step is what a Read returns: bytes and an error, or no error. If the bytes do not fit, the
// next Read returns the others.
type Step struct {
	Data []byte
	Err  Failure
}

// A Failure is the error of a [Step]: none if it is empty, [io.EOF] or [io.ErrUnexpectedEOF] if it
// has that text, or else itself.
type Failure string

// Error returns the text.
func (f Failure) Error() string { return string(f) }

func (f Failure) err() error {
	switch f {
	case "":
		return nil
	case Failure(io.EOF.Error()):
		return io.EOF
	case Failure(io.ErrUnexpectedEOF.Error()):
		return io.ErrUnexpectedEOF
	}
	return f
}

// Readers makes readers that return their bytes in pieces, some of them empty, and some with an
// error: what a program that reads must be ready for. Readers are not equal once they have read
// different numbers of steps.
func Readers() bigen.Gen[*Reader] {
	failures := bigen.As[Failure](bigen.Pick(
		bigen.Tag("none", bigen.Just("")),
		bigen.Tag("some", bigen.OneOf("EOF", "unexpected EOF", "broken")).Weight(0.2)))
	return bigen.Iso(bigen.For[[]Step](bigen.With(failures)),
		func(s []Step) *Reader { return &Reader{Script: s} }, func(r *Reader) ([]Step, bool) {
			if r == nil {
				return nil, false
			}
			return r.Script, true
		})
}

// Read returns what the next step says. An error other than EOF may be followed by more bytes.
// After an EOF, Read returns EOF.
func (r *Reader) Read(p []byte) (n int, err error) {
	if r.next == len(r.Script) {
		return 0, io.EOF
	}
	s := r.Script[r.next]
	n = copy(p, s.Data[r.read:])
	if r.read += n; r.read < len(s.Data) {
		return n, nil
	}
	r.next, r.read = r.next+1, 0
	if err = s.Err.err(); err == io.EOF {
		r.next = len(r.Script)
	}
	return n, err
}
