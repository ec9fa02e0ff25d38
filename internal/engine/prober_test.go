package engine

import (
	"bytes"
	"encoding/binary"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

// A probe replaces instrumentation in a simulated target.
type probe struct {
	counters []byte
	trace    *Trace
}

func (p *probe) reach(block int) { p.counters[block]++ }

// equal compares two numbers, as the instrumented code does.
func (p *probe) equal(site uint, a, b uint64, size uint8) bool {
	p.trace.Number(site, a, b, size, false)
	return a == b
}

// is compares a number with a constant.
func (p *probe) is(site uint, constant, b uint64, size uint8) bool {
	p.trace.Number(site, constant, b, size, true)
	return constant == b
}

func (p *probe) less(site uint, a, b uint64, size uint8) bool {
	p.equal(site, a, b, size)
	return a < b
}

func (p *probe) same(site uint, a, b string) bool {
	p.trace.Text(site, a, b)
	return a == b
}

// A simulation is a target that fails when it has been solved.
type simulation struct {
	name  string
	seed  []any
	run   func(p *probe, vals []any) (solved bool)
	limit int // executions in which the prober must solve it
}

var simulations = []simulation{
	{"magic little-endian", []any{make([]byte, 40)}, func(p *probe, vals []any) bool {
		b := vals[0].([]byte)
		return len(b) >= 20 && p.is(1, 0x1337c0de, uint64(binary.LittleEndian.Uint32(b[13:])), 4)
	}, 2000},
	{"magic big-endian", []any{[]byte("some text that is here in the beginning")},
		func(p *probe, vals []any) bool {
			b := vals[0].([]byte)
			return len(b) >= 20 && p.is(1, 0x1337c0de, uint64(binary.BigEndian.Uint32(b[11:])), 4)
		}, 2000},
	{"text", []any{""}, func(p *probe, vals []any) bool {
		return p.same(1, vals[0].(string), "open sesame, 14")
	}, 2000},
	{"prefix and text", []any{[]byte("PUT /index")}, func(p *probe, vals []any) bool {
		s := string(vals[0].([]byte))
		if !strings.HasPrefix(s, "PUT ") {
			return false
		}
		p.reach(1)
		return p.same(1, strings.ToLower(s[4:]), "/secret/document")
	}, 2000},
	{"nested magic", []any{[]byte{}}, func(p *probe, vals []any) bool {
		b := vals[0].([]byte)
		for i := range 6 {
			if p.less(2, uint64(len(b)), uint64(4*i+4), 8) {
				return false
			}
			p.reach(2 * i)
			if !p.is(uint(10+i), mix(uint64(i))>>32, uint64(binary.LittleEndian.Uint32(b[4*i:])), 4) {
				return false
			}
			p.reach(2*i + 1)
		}
		return true
	}, 20_000},
	{"checksum", []any{[]byte("0123456789abcdef")}, func(p *probe, vals []any) bool {
		b := vals[0].([]byte)
		if len(b) < 16 {
			return false
		}
		p.reach(1)
		sum := uint32(0)
		for _, c := range b[:len(b)-4] {
			sum = sum*31 + uint32(c)
		}
		if !p.equal(1, uint64(sum), uint64(binary.BigEndian.Uint32(b[len(b)-4:])), 4) {
			return false
		}
		p.reach(2)
		if !p.is(2, 'M', uint64(b[0]), 1) {
			return false
		}
		p.reach(3)
		return p.is(3, 'Z', uint64(b[1]), 1)
	}, 10_000},
	{"keywords", []any{"set a 1"}, func(p *probe, vals []any) bool {
		words := strings.Fields(vals[0].(string))
		stage := 0
		for i, w := range words {
			if i > 20 {
				break
			}
			for k, keyword := range []string{"begin", "transaction", "isolation", "serializable", "commit"} {
				if !p.is(uint(20+k), uint64(len(keyword)), uint64(len(w)), 8) {
					continue
				}
				p.reach(30 + k)
				if p.same(uint(10+k), w, keyword) {
					p.reach(10 + k)
					if stage == k {
						stage++
						p.reach(20 + k)
					}
				}
			}
		}
		return stage == 5
	}, 100_000},
	{"ladder of numbers", []any{int64(0), uint8(3), 1.5, "x"}, func(p *probe, vals []any) bool {
		n, k := vals[0].(int64), vals[1].(uint8)
		switch {
		case !p.is(1, 1_000_003, uint64(n%2_000_000), 8):
			return false
		case !p.less(2, 200, uint64(k), 1):
			return false
		}
		p.reach(1)
		return p.same(3, vals[3].(string), strconv.Itoa(int(n)))
	}, 20_000},
	{"digits", []any{"size=12; count=4"}, func(p *probe, vals []any) bool {
		s := vals[0].(string)
		get := func(name string) (uint64, bool) {
			_, after, ok := strings.Cut(s, name+"=")
			end := strings.IndexFunc(after, func(r rune) bool { return r < '0' || r > '9' })
			if end < 0 {
				end = len(after)
			}
			u, err := strconv.ParseUint(after[:end], 10, 64)
			return u, ok && err == nil
		}
		size, ok := get("size")
		if !ok || !p.is(1, 123456789, size, 8) {
			return false
		}
		p.reach(1)
		count, ok := get("count")
		return ok && p.equal(2, size/7, count, 8)
	}, 5000},
	{"arithmetic", []any{uint32(0), uint32(0)}, func(p *probe, vals []any) bool {
		a, b := vals[0].(uint32), vals[1].(uint32)
		if !p.is(1, 77777, uint64(a*3+5-a), 4) {
			return false
		}
		p.reach(1)
		return p.is(2, 1_000_000_007, uint64(b>>1+a), 4)
	}, 300_000},
	{"length", []any{[]byte("abc")}, func(p *probe, vals []any) bool {
		return p.is(1, 1000, uint64(len(vals[0].([]byte))), 8)
	}, 1000},
	{"hexadecimal", []any{"hash: 00ff00ff00ff"}, func(p *probe, vals []any) bool {
		_, s, ok := strings.Cut(vals[0].(string), "hash: ")
		if !ok || len(s)%2 != 0 || len(s) > 40 {
			return false
		}
		var b []byte
		for i := 0; i < len(s); i += 2 {
			u, err := strconv.ParseUint(s[i:i+2], 16, 8)
			if err != nil {
				return false
			}
			b = append(b, byte(u))
		}
		return p.same(1, string(b), "espalier!")
	}, 3000},
	{"rungs without comparisons", []any{[]byte("................")}, func(p *probe, vals []any) bool {
		b := vals[0].([]byte)
		if len(b) < 16 {
			return false
		}
		for _, c := range b[:16] { // others, which are easy
			p.reach(64 + int(c)%128)
		}
		for i := range 6 {
			if b[i] != byte(mix(uint64(i))) {
				return false
			}
			p.reach(i)
		}
		return true
	}, 1_000_000},
}

// solve returns the executions until the target is solved, at most limit.
func solve(s simulation, seed uint64, limit int) int {
	x := NewProber(seed)
	x.Base(s.seed)
	p := &probe{make([]byte, 256), new(Trace)}
	p.trace.Profiling.Store(true)
	var nearer []Nearer
	vals := append([]any(nil), s.seed...)
	for n := 1; n <= limit; n++ {
		x.Next(vals, 1<<16)
		p.trace.Reset()
		p.trace.Recording.Store(x.WantTrace())
		clear(p.counters)
		p.reach(255)
		if s.run(p, vals) {
			return n
		}
		trace := p.trace
		if !x.WantTrace() {
			trace = nil
		}
		nearer = p.trace.Nearest.News(nearer[:0])
		x.Done(p.counters, trace, nearer, false, time.Microsecond)
	}
	return limit + 1
}

func TestProberSolves(t *testing.T) {
	for _, s := range simulations {
		t.Run(s.name, func(t *testing.T) {
			for seed := range uint64(long.Count(1, 3)) {
				n := solve(s, seed, s.limit)
				require.LessOrEqual(t, n, s.limit, "seed %d", seed)
				t.Log(n)
			}
		})
	}
}

// TestProberBase: what the coordinator hands out is run as it is, once, with its
// comparisons.
func TestProberBase(t *testing.T) {
	x := NewProber(1)
	for _, s := range []string{"one", "two", "one", "three"} {
		x.Base([]any{s})
	}
	var ran []string
	vals := []any{""}
	for range 3 {
		x.Next(vals, 100)
		require.True(t, x.WantTrace())
		x.Done([]byte{1}, new(Trace), nil, false, 0)
		ran = append(ran, vals[0].(string))
	}
	require.Equal(t, []string{"one", "two", "three"}, ran)
	x.Base([]any{"two"})
	x.Next(vals, 100)
	require.NotEqual(t, "two", vals[0])
}

// TestProberFresh: coverage is fresh if neither the coordinator nor the prober
// knows it, and the input did not fail.
func TestProberFresh(t *testing.T) {
	x := NewProber(1)
	x.Know([]byte{0, 4, 0})
	vals := []any{[]byte("a")}
	for _, c := range []struct {
		counters []byte
		failed   bool
		fresh    bool
	}{
		{[]byte{1, 0, 0}, false, true},
		{[]byte{1, 0, 0}, false, false},
		{[]byte{1, 5, 0}, false, false},
		{[]byte{1, 5, 7}, true, false},
		{[]byte{1, 5, 7}, false, true},
		{[]byte{1, 5, 4}, false, false},
		{[]byte{2, 8, 4}, false, true},
	} {
		x.Next(vals, 100)
		require.Equal(t, c.fresh, x.Done(c.counters, nil, nil, c.failed, 1), c)
	}
}

// TestProberAliases: what a target does to its arguments has no effect on others.
func TestProberAliases(t *testing.T) {
	seed := []byte("the seed")
	x := NewProber(1)
	x.Base([]any{seed, seed})
	vals := []any{seed, seed}
	for i := range 1000 {
		x.Next(vals, 1000)
		a, b := vals[0].([]byte), vals[1].([]byte)
		before := bytes.Clone(b)
		for i := range a {
			a[i] = 'X'
		}
		_ = append(a, "YYYYYYYYYYYYYYYYYYYYYYY"...)
		require.Equal(t, string(before), string(b))
		for i := range b {
			b[i] = 'X'
		}
		x.Done([]byte{byte(i)}, nil, nil, false, 1)
	}
	require.Equal(t, "the seed", string(seed))
	x.Base([]any{[]byte("the seed"), []byte("the seed")})
	for _, m := range x.members {
		for _, f := range m.in {
			require.Less(t, strings.Count(string(f.bytes), "XXXX"), 2)
		}
	}
}

func TestProberDeterministic(t *testing.T) {
	for _, s := range simulations {
		require.Equal(t, solve(s, 3, 3000), solve(s, 3, 3000), s.name)
	}
}

// TestProberReduces: an entry gives way to a smaller mutant that has what it is kept for.
func TestProberReduces(t *testing.T) {
	x := NewProber(1)
	vals := []any{strings.Repeat("abcdefgh", 40)}
	for range 20_000 {
		x.Next(vals, 1000)
		counters := make([]byte, 3)
		counters[0] = 1
		if strings.Contains(vals[0].(string), "X") {
			counters[1] = 1
		}
		x.Done(counters, nil, nil, false, 1)
	}
	sizes := 0
	for _, m := range x.members {
		sizes += m.in.size()
		if strings.Contains(string(m.in[0].bytes), "X") {
			require.Less(t, m.in.size(), 10)
		}
	}
	require.Equal(t, sizes, x.size)
	require.Len(t, x.members, 2)
}

// TestProberStats: the finds of operators are the fresh inputs.
func TestProberStats(t *testing.T) {
	x := NewProber(1)
	vals := []any{[]byte("abc"), 5}
	fresh := 0
	for range 5000 {
		x.Next(vals, 100)
		b := vals[0].([]byte)
		counters := make([]byte, 300)
		for _, c := range b {
			counters[c]++
		}
		if x.Done(counters, nil, nil, false, 1) {
			fresh++
		}
	}
	tried, found := int64(0), int64(0)
	names := map[string]bool{}
	for _, o := range x.Stats() {
		require.False(t, names[o.Name])
		names[o.Name] = true
		require.LessOrEqual(t, o.Found, o.Tried, o.Name)
		tried += o.Tried
		found += o.Found
	}
	require.Greater(t, tried, int64(5000))
	require.GreaterOrEqual(t, found, int64(fresh)-1)
}

func BenchmarkProber(b *testing.B) {
	x := NewProber(1)
	vals := []any{bytes.Repeat([]byte("0123456 "), 8)}
	counters := make([]byte, 1000)
	for i := range 60 {
		counters[i*16] = byte(i)
	}
	for i := range 100 {
		counters[i] = 1
		x.Base([]any{append([]byte{byte(i)}, vals[0].([]byte)...)})
		x.Next(vals, 1<<16)
		x.Done(counters, nil, nil, false, 1)
	}
	b.ReportAllocs()
	for b.Loop() {
		x.Next(vals, 100)
		x.Done(counters, nil, nil, false, 1)
	}
}

func BenchmarkProberTraced(b *testing.B) {
	for _, n := range []int{10, 100, 4096} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			x := NewProber(1)
			trace := recording()
			for i := range n {
				trace.Number(uint(i%200), uint64(i), uint64(i*i), 8, i%2 == 0)
			}
			vals := []any{bytes.Repeat([]byte("0123456 "), 8)}
			traced := 0
			for b.Loop() {
				x.Next(vals, 100)
				if x.WantTrace() {
					traced++
					x.Done([]byte{1}, trace, nil, false, 1)
				} else {
					x.Done([]byte{1}, nil, nil, false, 1)
				}
			}
			b.ReportMetric(float64(traced)/float64(b.N), "traced/op")
		})
	}
}
