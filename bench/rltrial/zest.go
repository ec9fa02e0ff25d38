package rltrial

import (
	"encoding/binary"
	"math"
	"math/rand/v2"

	"github.com/espalier-go/espalier/bench/branches"
	"github.com/espalier-go/espalier/bench/rltargets"
	"github.com/espalier-go/espalier/choices"
)

// Zest explores by mutation of the random bytes that a generator reads, and keeps those that cover
// more, or more by valid inputs: Padhye, Lemieux, Sen, Papadakis, Le Traon, Semantic Fuzzing with
// Zest, Algorithm 1. It needs a [branches.Tracer]. Its constants are those of the authors' implementation.
const Zest = "Zest"

const (
	zestChildren     = 50   // of an input that covers as much as any
	zestFavored      = 20   // times as many of one that covered something first
	zestMutations    = 8.0  // of a child, in the mean
	zestMutationSize = 4.0  // bytes, in the mean
	zestZeros        = 0.1  // share of mutations that write zeros
	zestMost         = 10e3 // bytes of an input
)

// A parameterized input is the bytes that a generator has read.
type parameterized struct {
	bytes   []byte
	covers  int  // points
	favored bool // it has covered a point first
}

// A stream gives a generator the bytes of an input as random numbers. Where it has none, it makes
// them, up to zestMost, and zeros then.
type stream struct {
	bytes []byte
	next  int
	more  *rand.Rand
}

// Uint64 implements [rand.Source].
func (s *stream) Uint64() uint64 {
	for len(s.bytes) < min(s.next+8, zestMost) {
		s.bytes = append(s.bytes, byte(s.more.Uint32()))
	}
	if s.next+8 > len(s.bytes) {
		return 0
	}
	s.next += 8
	return binary.LittleEndian.Uint64(s.bytes[s.next-8:])
}

// exploreZest makes inputs as [Policy.Explore] does.
func exploreZest(
	t rltargets.Target, bug string, seed uint64, tracer branches.Tracer, see func(rltargets.Input) bool,
) {
	r := rand.New(rand.NewPCG(seed, 0))
	total, valid := map[int]bool{}, map[int]bool{}
	var queue []*parameterized
	most := 0 // points that one input covers
	try := func(bytes []byte) (more bool) {
		s := &stream{bytes: bytes, more: r}
		tracer.Start()
		in := t.Run(choices.Random(rand.New(s)), bug)
		points := tracer.Points()
		if more = see(in); !more {
			return false
		}
		p := &parameterized{bytes: s.bytes[:s.next], covers: len(points)}
		for _, at := range points {
			if !total[at] || in.Valid && !valid[at] {
				p.favored = true
			}
			total[at] = true
			valid[at] = valid[at] || in.Valid
		}
		if p.favored {
			queue, most = append(queue, p), max(most, p.covers)
		}
		return true
	}
	for len(queue) == 0 {
		if !try(nil) {
			return
		}
	}
	for i := 0; ; i = (i + 1) % len(queue) {
		for range queue[i].children(most) {
			if !try(zestMutant(r, queue[i].bytes)) {
				return
			}
		}
	}
}

// children returns how many mutants of an input are made, before those of the next.
func (p *parameterized) children(most int) int {
	n := zestChildren * p.covers / max(1, most)
	if p.favored {
		n *= zestFavored
	}
	return max(1, n)
}

// zestMutant returns a mutant of the bytes of an input.
func zestMutant(r *rand.Rand, bytes []byte) []byte {
	mutant := append([]byte(nil), bytes...)
	for range geometricAround(r, zestMutations) {
		if len(mutant) == 0 {
			break
		}
		size, at, zeros := geometricAround(r, zestMutationSize), r.IntN(len(mutant)),
			r.Float64() < zestZeros
		for i := at; i < min(at+size, len(mutant)); i++ {
			if mutant[i] = 0; !zeros {
				mutant[i] = byte(r.Uint32())
			}
		}
	}
	return mutant
}

// geometricAround returns a number from 1 on, geometrically distributed around a mean.
func geometricAround(r *rand.Rand, mean float64) int {
	return int(math.Ceil(math.Log(1-r.Float64()) / math.Log(1-1/mean)))
}
