package main

import (
	"fmt"
	"math/rand/v2"
	"os"

	fuzz "github.com/AdaLogics/go-fuzz-headers"

	"github.com/espalier-go/espalier/bigen"
	_ "github.com/espalier-go/espalier/fuzzext/headers"
	"github.com/espalier-go/espalier/internal/foreign"
	"github.com/espalier-go/espalier/internal/literal"
)

// A customer is what a target of go-fuzz-headers takes.
type customer struct {
	Name   string
	Age    int
	Admin  bool
	Rate   float64
	Ports  []uint16
	Tags   []string
	Raw    []byte
	Quotas map[string]uint32
	Owner  *owner
}

type owner struct {
	ID    uint64
	Email string
}

// genCustomer is derived. The strings of go-fuzz-headers are any bytes.
var genCustomer = bigen.For[customer](bigen.With(bigen.Iso(bigen.Bytes(0, 1<<16),
	func(b []byte) string { return string(b) },
	func(s string) ([]byte, bool) { return []byte(s), true })))

// headers counts what becomes of inputs of go-fuzz-headers that it decodes itself.
func headers(of func(headersCounts) int) measure {
	return func(r run) (o, b figure, err error) {
		counts, err := once("headers", func() (headersCounts, error) { return importHeaders(r.quick) })
		return number(float64(of(counts))), number(float64(counts.inputs)), err
	}
}

func (c headersCounts) same() int     { return c.equal }
func (c headersCounts) silently() int { return c.lost }

type headersCounts struct{ inputs, equal, named, lost int }

// importHeaders decodes inputs, encodes their values, and decodes these by the generator. The
// library's own decoder says what is right.
func importHeaders(quick bool) (c headersCounts, err error) {
	want, tries := 200, 0
	if quick {
		want = 50
	}
	r := rand.New(rand.NewPCG(1, 0))
	decode := foreign.Lookup("headers", "")
	for ; c.inputs < want; tries++ {
		input := make([]byte, r.IntN(2000))
		for i := range input {
			if r.IntN(4) == 0 { // a length is four bytes, and most are too large
				input[i] = byte(r.Uint32())
			}
			if i%4 != 3 && r.IntN(10) > 0 {
				input[i] = 0
			}
		}
		var theirs, ours customer
		if fuzz.NewConsumer(input).GenerateStruct(&theirs) != nil {
			continue
		}
		c.inputs++
		b, err := []byte(nil), decode(input, &ours)
		if err == nil {
			b, err = bigen.Encode(genCustomer, ours)
		}
		if err != nil {
			c.named++
			fmt.Fprintf(os.Stderr, "corpus/import/headers: %v\n", err)
			continue
		}
		switch made, err := bigen.Decode(genCustomer, b); {
		case err == nil && literal.Same(made, theirs):
			c.equal++
		default:
			c.lost++
			fmt.Fprintf(os.Stderr, "corpus/import/headers: differs: %v\n%s\n%s\n", err, literal.Of(made, ""), literal.Of(theirs, ""))
		}
	}
	fmt.Fprintf(os.Stderr, "corpus/import/headers: %d random inputs, %d decoded: %d equal, %d named, %d lost silently\n", tries, c.inputs, c.equal, c.named, c.lost)
	return c, nil
}
