package rltrial

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/espalier-go/espalier/bench/rltargets"
	"github.com/espalier-go/espalier/choices"
)

// A Brancher is a Tracer that counts the branches that runs have taken.
type Brancher interface {
	Tracer
	Reached() int
}

// A Curve has the trial as it was after some CPU times.
type Curve struct {
	At    []float64 // seconds
	Trial []Trial
	First float64 // CPU seconds up to the first valid input; negative if there was none
}

// CheckMixture makes inputs as [fuzzext.Check] does whose property assumes that they are valid.
var CheckMixture = Policy{Name: "Check"}

// PrintCurve runs a trial, prints its curve as JSON and exits, at the last of the CPU times. The
// tracer may be nil. The process is to run no other.
func PrintCurve(t rltargets.Target, p Policy, seed uint64, at []float64, tracer Brancher) {
	c := &curve{Curve: Curve{At: at, First: -1}, tracer: tracer, seen: map[uint64]bool{}, traces: map[uint64]bool{}, start: seconds()}
	if p.Name == CheckMixture.Name {
		testing.Main(func(_, _ string) (bool, error) { return true, nil }, []testing.InternalTest{{Name: "T", F: func(tb *testing.T) {
			t.Check(tb, seed, c.begin, c.see)
		}}}, nil, nil)
		return
	}
	r := rand.New(rand.NewPCG(seed, 0))
	guide := p.Guide(r)
	for {
		src := choices.Source(choices.Random(r))
		if guide != nil {
			src = guide.Begin()
		}
		c.begin()
		valid, key, size := t.Run(src)
		c.see(valid, key, size)
		switch {
		case guide == nil:
		case valid:
			guide.Valid(key)
		default:
			guide.Invalid()
		}
	}
}

func seconds() float64 { return CPU().Seconds() }

// curve counts inputs.
type curve struct {
	Curve
	tracer       Brancher
	seen, traces map[uint64]bool
	now          Trial
	start        float64
}

func (c *curve) begin() {
	if c.tracer != nil {
		c.tracer.Start()
	}
}

func (c *curve) see(valid bool, key uint64, size int) {
	c.now.Inputs++
	if valid {
		if c.tracer != nil {
			c.traces[c.tracer.Stop()] = true
		}
		if c.now.Valid++; c.now.Valid == 1 {
			c.First = seconds() - c.start
		}
		if !c.seen[key] {
			c.seen[key] = true
			if size > 5 {
				c.now.Large++
			}
		}
	}
	if c.now.Inputs%16 != 0 {
		return
	}
	c.now.CPU = seconds() - c.start
	for len(c.Trial) < len(c.At) && c.now.CPU >= c.At[len(c.Trial)] {
		c.now.Unique, c.now.Traces = len(c.seen), len(c.traces)
		if c.tracer != nil {
			c.now.Branches = c.tracer.Reached()
		}
		c.Trial = append(c.Trial, c.now)
	}
	if len(c.Trial) == len(c.At) {
		if err := json.NewEncoder(os.Stdout).Encode(c.Curve); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
}
