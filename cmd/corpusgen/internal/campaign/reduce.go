package campaign

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/espalier-go/espalier/internal/budget"
	"github.com/espalier-go/espalier/internal/corpus"
	"github.com/espalier-go/espalier/internal/engine"
)

// A reducer makes the arguments of a target smaller while they fail in the same way. Many candidates
// run in one process, up to the first that ends it.
type reducer struct {
	run       func(files [][]byte) (apartEnd, error)
	failure   engine.Failure
	log       string // of the smallest arguments, in the end
	varies    bool   // some have failed in the place with another message
	processes int
	used      time.Duration // CPU time of the processes
	stopped   func() bool
	began     time.Time
}

const (
	maxBatch        = 4 << 20          // bytes of candidates in one process
	reduceTime      = 10 * time.Second // of CPU
	reduceProcesses = 200
)

// again runs the arguments of a failure alone. If they fail in the place with another message, the
// failure tells so, and if they do not fail, it has a note.
func (r *reducer) again(failure *engine.Failure, args []any) error {
	for range attempts {
		switch k, err := r.first([][]any{args}); {
		case err != nil || k == 0:
			return err
		case r.varies:
			varies(failure)
			r.failure = *failure
			return nil
		}
	}
	failure.Note = fmt.Sprintf("Run alone %d times, the input does not fail so: it may depend "+
		"on earlier inputs, on time or on chance.", attempts)
	return nil
}

// reduce returns smaller arguments, or args.
func (r *reducer) reduce(args []any) ([]any, error) {
	r.began = time.Now()
	small := slices.Clone(args)
	for changed := true; changed; {
		changed = false
		for i := range small {
			for _, pass := range []func([]any, int) ([]any, error){r.shorten, r.simplify} {
				next, err := pass(small, i)
				if err != nil {
					return args, err
				}
				if !bytes.Equal(corpus.MarshalArgs(next), corpus.MarshalArgs(small)) {
					small, changed = next, true
				}
			}
		}
	}
	// what earlier inputs did in the same process does not count
	if k, err := r.first([][]any{small}); err != nil || k != 0 {
		r.log = ""
		return args, err
	}
	return small, nil
}

// over reports whether the reducer has done enough.
func (r *reducer) over() bool {
	return r.processes >= reduceProcesses || r.used >= reduceTime ||
		time.Since(r.began) >= budget.ClockFactor*reduceTime || r.stopped()
}

// first returns the index of the first of some arguments that fail as the failure does, or -1.
func (r *reducer) first(candidates [][]any) (int, error) {
	files := make([][]byte, len(candidates))
	for i, c := range candidates {
		files[i] = corpus.MarshalArgs(c)
	}
	for begin := 0; begin < len(files) && (!r.over() || len(files) == 1); {
		r.processes++
		end, err := r.run(files[begin:])
		r.used += end.cpu
		if err != nil {
			return -1, err
		}
		for _, entry := range end.fails {
			if k := number(entry.name); k >= 0 && begin+k < len(files) &&
				r.same(classified(engine.Failure{Log: entry.log}, candidates[begin+k])) {
				r.log = entry.log
				return begin + k, nil
			}
		}
		if !end.died {
			return -1, nil
		}
		k := number(end.last)
		if k < 0 || begin+k >= len(files) {
			return -1, nil
		}
		if failure := end.failure(engine.Failure{}, candidates[begin+k]); r.same(failure) {
			r.log = failure.Log
			return begin + k, nil
		}
		begin += k + 1
	}
	return -1, nil
}

// same reports whether a failure is the one whose arguments are made smaller.
func (r *reducer) same(failure engine.Failure) bool {
	inPlace := placed(r.failure) && engine.PlaceOf(failure.Log) == r.failure.Place
	r.varies = r.varies || inPlace
	return failure.Class == r.failure.Class || r.failure.Varies && inPlace ||
		failure.Words != "" && failure.Words == r.failure.Words
}

// shorten removes parts of argument i, if it is a text or bytes, large ones first.
func (r *reducer) shorten(args []any, i int) ([]any, error) {
	length := func() int { return len(text(args[i])) }
	for size := length(); size > 0; size /= 2 {
		for at := 0; at < length(); {
			var candidates [][]any
			b, bytes := text(args[i]), 0
			for p := at; p < len(b) && bytes < maxBatch; p += size {
				c := slices.Concat(b[:p], b[min(p+size, len(b)):])
				candidates, bytes = append(candidates, with(args, i, c)), bytes+len(c)+100
			}
			k, err := r.first(candidates)
			switch {
			case err != nil:
				return args, err
			case k >= 0:
				args, at = candidates[k], at+k*size
			case r.over():
				return args, nil
			default:
				at += len(candidates) * size
			}
		}
	}
	return args, nil
}

// plain is what is tried instead of each byte.
const plain = '0'

// maxSimplified bounds the bytes of an argument that are replaced.
const maxSimplified = 1 << 10

// simplify replaces argument i, or parts of it, by what is simpler to read.
func (r *reducer) simplify(args []any, i int) ([]any, error) {
	for at := 0; ; {
		var candidates [][]any
		var places []int
		if b := text(args[i]); b != nil {
			for p := at; p < min(len(b), maxSimplified); p++ {
				if b[p] != plain {
					c := bytes.Clone(b)
					c[p] = plain
					candidates, places = append(candidates, with(args, i, c)), append(places, p+1)
				}
			}
		} else if at == 0 {
			for _, v := range simpler(args[i]) {
				c := slices.Clone(args)
				c[i] = v
				candidates, places = append(candidates, c), append(places, 0)
			}
		}
		k, err := r.first(candidates)
		if err != nil || k < 0 {
			return args, err
		}
		args, at = candidates[k], places[k]
	}
}

// text returns the bytes of a text, or nil.
func text(v any) []byte {
	switch v := v.(type) {
	case []byte:
		return v
	case string:
		return []byte(v)
	}
	return nil
}

// with returns arguments with other bytes in argument i.
func with(args []any, i int, b []byte) []any {
	args = slices.Clone(args)
	if _, ok := args[i].(string); ok {
		args[i] = string(b)
	} else {
		args[i] = b
	}
	return args
}

// simpler returns numbers that are simpler than v, the simplest first.
func simpler(v any) []any {
	switch v := v.(type) {
	case bool:
		if v {
			return []any{false}
		}
	case int:
		return smaller(v)
	case int8:
		return smaller(v)
	case int16:
		return smaller(v)
	case int32:
		return smaller(v)
	case int64:
		return smaller(v)
	case uint:
		return smaller(v)
	case uint8:
		return smaller(v)
	case uint16:
		return smaller(v)
	case uint32:
		return smaller(v)
	case uint64:
		return smaller(v)
	case float32:
		return rounder(v)
	case float64:
		return rounder(v)
	}
	return nil
}

// smaller returns integers nearer to 0.
func smaller[N int | int8 | int16 | int32 | int64 | uint | uint8 | uint16 | uint32 | uint64](
	v N,
) (list []any) {
	for d := v; d != 0; d /= 2 {
		list = append(list, v-d)
	}
	return list
}

// rounder returns numbers with fewer digits.
func rounder[N float32 | float64](v N) (list []any) {
	for _, w := range []float64{0, 1, math.Trunc(float64(v))} {
		if N(w) == v || w != w {
			break
		}
		list = append(list, N(w))
	}
	return list
}
