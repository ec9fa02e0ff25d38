package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/fuzzext"
)

// A price is a generator of Espalier and one of rapid, of values of the same kind.
type price struct {
	name string

	// check runs fuzzext.Check on a property that does nothing but call seen with the size
	// of each value, and assume that it is valid.
	check func(t *testing.T, seen func(size int))
	naive bool // most values are not

	// rapid makes a value and returns its size, which grows with p, on average.
	rapid func(t *rapid.T, p int) (size int)
	most  int // p
}

func newPrice[A any](name string, gen bigen.Gen[A], peer func(t *rapid.T, p int) A, most int, size func(A) int) price {
	return price{
		name: name,
		check: func(t *testing.T, seen func(size int)) {
			fuzzext.Check(t, gen, func(t *fuzzext.T, v A) { seen(size(v)) })
		},
		rapid: func(t *rapid.T, p int) int { return size(peer(t, p)) },
		most:  most,
	}
}

// newNaive returns a price of generators that know little of what is valid.
func newNaive[A any](name string, gen bigen.Gen[A], valid func(A) bool, peer func(t *rapid.T, p int) A, size func(A) int) price {
	return price{
		name: name,
		check: func(t *testing.T, seen func(size int)) {
			fuzzext.Check(t, gen, func(t *fuzzext.T, v A) {
				seen(size(v))
				t.Assume(valid(v))
			})
		},
		naive: true,
		rapid: func(t *rapid.T, p int) int {
			v := peer(t, p)
			_ = valid(v) // Skip would cost more, and end the check early
			return size(v)
		},
		most: 999,
	}
}

// priceRows compare the CPU time of a value, made by a Check whose property does nothing, with
// that of rapid.Check. The mean sizes of their values agree: rapid's generators have a
// parameter for that.
func priceRows() []row {
	var rows []row
	for _, p := range prices() {
		add := func(name, baseline string, g goal, of func(r priced) (ours, base float64)) {
			rows = append(rows, row{"check/price/" + p.name + "/" + name, baseline, g, func(quick bool) (o, b figure, err error) {
				r, err := p.measured(quick)
				o.value, b.value = of(r)
				return o, b, err
			}})
		}
		kind, most := "plain", 1.2
		if p.naive {
			kind, most = "guided", 2
		}
		add(kind+" ns", "rapid.Check", ratioAtMost(most), func(r priced) (ours, base float64) { return r.Beside.Ours, r.Beside.Base })
		add(kind+" size", "rapid.Check", ratioWithin(0.1), func(r priced) (ours, base float64) { return r.Beside.OurSize, r.Beside.BaseSize })
		add("-v ns", "without -v", ratioAtMost(1.3), func(r priced) (ours, base float64) { return r.Verbose.Ours, r.Verbose.Base })
	}
	return rows
}

// priced has the medians of a subject's measurements.
type priced struct{ Beside, Verbose pricedPair }

// pricedPair has CPU nanoseconds for each value, and the mean sizes of the values.
type pricedPair struct{ Ours, Base, OurSize, BaseSize float64 }

// priceEnv makes another process, which runs tests, measure a subject: its value is the name.
const priceEnv = "ESPALIER_BENCH_PRICE"

// pricesMeasured holds what has been measured so far, by subject.
var pricesMeasured = map[string]priced{}

func (p *price) measured(quick bool) (r priced, err error) {
	if r, ok := pricesMeasured[p.name]; ok {
		return r, nil
	}
	result, err := os.CreateTemp(scratch, "price-*")
	if err != nil {
		return r, err
	}
	defer result.Close()
	cmd := exec.Command(os.Args[0], "-rapid.nofailfile", "-rapid.checks="+strconv.Itoa(priceValues), "-fuzzext.checks="+strconv.Itoa(priceValues))
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%s %t", priceEnv, p.name, quick))
	cmd.ExtraFiles = []*os.File{result}
	if out, err := cmd.CombinedOutput(); err != nil {
		return r, fmt.Errorf("%w\n%s", err, out)
	}
	if _, err = result.Seek(0, 0); err == nil {
		err = json.NewDecoder(result).Decode(&r)
	}
	pricesMeasured[p.name] = r
	return r, err
}

// priceValues is how many valid values one Check makes.
const priceValues = 1000

// priceMain is the other process. It exits before package testing reports anything.
func priceMain(what string) {
	var name string
	var quick bool
	if _, err := fmt.Sscan(what, &name, &quick); err != nil {
		panic(err)
	}
	testing.Main(func(_, _ string) (bool, error) { return true, nil }, []testing.InternalTest{{Name: "T", F: func(t *testing.T) {
		for _, p := range prices() {
			if p.name != name {
				continue
			}
			r := priced{Beside: p.besideRapid(t, quick)}
			ours, plain := p.ours(t), p.ours(t)
			r.Verbose.Ours, r.Verbose.Base = inTurn(quick, ours.verbose, plain.cost)
			if err := json.NewEncoder(os.NewFile(3, "result")).Encode(r); err != nil {
				panic(err)
			}
		}
		os.Exit(0)
	}}}, nil, nil)
}

// A pricing runs Checks of one kind, and adds up the sizes of the values.
type pricing struct {
	check func(seed int, seen func(size int))
	seed  int

	values, size int
}

// ours returns the pricing of fuzzext.Check.
func (p *price) ours(t *testing.T) *pricing {
	return &pricing{check: func(seed int, seen func(int)) {
		setFlag("fuzzext.seed", seed)
		t.Run("Ours", func(t *testing.T) { p.check(t, seen) })
	}}
}

// base returns the pricing of rapid.Check with a parameter.
func (p *price) base(t *testing.T, param int) *pricing {
	return &pricing{check: func(seed int, seen func(int)) {
		setFlag("rapid.seed", seed)
		t.Run("Rapid", func(t *testing.T) { rapid.Check(t, func(t *rapid.T) { seen(p.rapid(t, param)) }) })
	}}
}

// besideRapid measures fuzzext.Check and rapid.Check, with the parameter whose values have the
// mean size that is nearest to ours.
func (p *price) besideRapid(t *testing.T, quick bool) (r pricedPair) {
	checks := 5
	size := p.ours(t).mean(checks)
	at, best := 0, math.Inf(1)
	for lo, hi := 0, p.most; lo <= hi; {
		param := (lo + hi) / 2
		mean := p.base(t, param).mean(checks)
		if off := math.Abs(math.Log(mean / size)); off < best {
			at, best = param, off
		}
		if mean < size {
			lo = param + 1
		} else {
			hi = param - 1
		}
	}
	ours, base := p.ours(t), p.base(t, at)
	r.Ours, r.Base = inTurn(quick, ours.cost, base.cost)
	r.OurSize, r.BaseSize = ours.mean(0), base.mean(0)
	return r
}

// mean runs some Checks, and returns the mean size of the values of all Checks so far.
func (p *pricing) mean(checks int) float64 {
	for range checks {
		p.run()
	}
	return float64(p.size) / float64(p.values)
}

// run runs a Check, and returns how many values it has made.
func (p *pricing) run() (values int) {
	before := p.values
	p.seed++
	p.check(p.seed, func(size int) {
		p.values++
		p.size += size
	})
	return p.values - before
}

// cost runs some Checks.
func (p *pricing) cost() (c cost) {
	start := cpuTime()
	for range 5 {
		c.parts += p.run()
	}
	c.cpu = cpuTime() - start
	return c
}

// verbose is cost under -v.
func (p *pricing) verbose() cost {
	setFlag("test.v", true)
	defer setFlag("test.v", false)
	return p.cost()
}

func setFlag(name string, value any) {
	if err := flag.Set(name, fmt.Sprint(value)); err != nil {
		panic(err)
	}
}
