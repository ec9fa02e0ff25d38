package classbugs

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/espalier-go/espalier/fuzzext"
)

// A query is written as key=value&key=value.
type query struct {
	Params []param `bigen:"len=0..5"`
}

type param struct {
	Key   string `bigen:"match=[a-z]{1,3}"`
	Value string `bigen:"match=([&=ab]|[%c-h26]|[a-z]|%26){0,3}"`
}

func queryComesBack(t testing.TB, q query) {
	var back query
	for _, p := range q.Params {
		written := strings.ReplaceAll(p.Value, "&", "%26")
		if !bug(0) {
			written = strings.ReplaceAll(strings.ReplaceAll(p.Value, "%", "%25"), "&", "%26")
		}
		if written == "" && bug(1) {
			continue
		}
		key, value, _ := strings.Cut(p.Key+"="+written, "=")
		if bug(2) {
			value, _, _ = strings.Cut(value, "=")
		}
		back.Params = append(back.Params,
			param{key, strings.NewReplacer("%25", "%", "%26", "&").Replace(value)})
	}
	fuzzext.Equal(t, back, q)
}

// Of two layers of limits, the upper one counts where it has a limit. A negative one removes.
type layers struct {
	Lower, Upper map[string]int `bigen:"len=0..3,empty=notnil,range=-5..50,key.oneof=cpu|mem|net"`
}

func layersMerge(t testing.TB, l layers) {
	merged := map[string]int{}
	for i, layer := range []map[string]int{l.Lower, l.Upper} {
		for k, limit := range layer {
			switch old, ok := merged[k]; {
			case limit < 0 && (i > 0 || !bug(0)):
				delete(merged, k)
			case limit == 0 && ok && bug(1): // as if it were not set
			case limit > old && ok && bug(2): // as if limits were only lowered
			default:
				merged[k] = limit
			}
		}
	}
	want := maps.Clone(l.Lower)
	maps.Copy(want, l.Upper)
	maps.DeleteFunc(want, func(_ string, limit int) bool { return limit < 0 })
	if !maps.Equal(merged, want) {
		t.Errorf("the limits become %v", merged)
	}
}

// A cut takes a span out of others. A span has the integers from Low to High-1.
type cut struct {
	From []span `bigen:"len=0..4"`
	Out  span
}

type span struct {
	Low, High int `bigen:"range=0..20"`
}

func cutPoints(t testing.TB, c cut) {
	for x := range 20 {
		has := func(s span) bool { return s.Low <= x && x < s.High }
		if got, want := slices.ContainsFunc(c.rest(), has), slices.ContainsFunc(c.From, has) &&
			!has(c.Out); got != want {
			t.Fatalf("whether %d is left: %t, want %t", x, got, want)
		}
	}
}

func (c cut) rest() (rest []span) {
	for _, s := range c.From {
		left, right := span{s.Low, min(s.High, c.Out.Low)}, span{max(s.Low, c.Out.High), s.High}
		if s.High <= c.Out.Low || c.Out.High <= c.Out.Low {
			left, right = s, span{}
		}
		if left.Low < left.High && bug(0) {
			right = span{}
		}
		if s.Low == c.Out.Low && bug(1) {
			right.Low++
		}
		if rest = append(rest, left, right); c.Out.High < s.Low && bug(2) {
			break // as if they were in order
		}
	}
	return rest
}

// A formula changes a number step by step.
type formula struct {
	Steps []step `bigen:"len=0..9"`
}

type step struct {
	Op string `bigen:"oneof=add|mul|max|neg"`
	N  int    `bigen:"range=-3..3"` // not of neg
}

func formulaRuns(t testing.TB, f formula) {
	for x := -5; x <= 5; x++ {
		if got, want := f.optimized().of(x), f.of(x); got != want {
			t.Errorf("%v makes %d of %d, want %d", f.Steps, got, x, want)
			return
		}
	}
}

func (f formula) of(x int) int {
	for _, s := range f.Steps {
		x = map[string]int{"add": x + s.N, "mul": x * s.N, "max": max(x, s.N), "neg": -x}[s.Op]
	}
	return x
}

func (f formula) optimized() (g formula) {
	for _, s := range f.Steps {
		last := &step{}
		if n := len(g.Steps); n > 0 {
			last = &g.Steps[n-1]
		}
		switch both := s.Op + " after " + last.Op; {
		case both == "add after add":
			last.N += s.N
		case both == "mul after mul":
			last.N *= s.N
		case both == "max after max":
			if last.N = max(last.N, s.N); bug(0) {
				last.N = s.N
			}
		case both == "neg after mul", both == "neg after add" && bug(1):
			last.N = -last.N
		case s.Op == "mul" && (s.N == 1 || s.N == -1 && bug(2)):
		default:
			g.Steps = append(g.Steps, s)
		}
	}
	return g
}

// A command is what a round trip loses parts of.
type command struct {
	Name    string   `bigen:"len=0..10"`
	Args    []string `bigen:"len=0..10;0..10"`
	Mode    string   `bigen:"oneof=text|json|quiet"`
	Verbose bool
	Depth   int    `bigen:"range=-10000..10000"`
	Limits  [2]int `bigen:"range=0..100"`
}

// commandLosses say whether a part is lost.
var commandLosses = []func(v command) bool{
	func(v command) bool { return strings.Contains(v.Name, `"`) },
	func(v command) bool {
		return strings.ContainsFunc(v.Name, func(r rune) bool { return r >= 0x80 })
	},
	func(v command) bool { return slices.Contains(v.Args, "") },
	func(v command) bool {
		return slices.ContainsFunc(v.Args, func(s string) bool { return strings.HasPrefix(s, "-") })
	},
	func(v command) bool {
		return slices.ContainsFunc(v.Args, func(s string) bool { return strings.Contains(s, " ") })
	},
	func(v command) bool { return v.Mode == "json" && len(v.Args) > 2 },
	func(v command) bool { return v.Mode == "quiet" && v.Verbose },
	func(v command) bool { return v.Depth >= 1000 },
	func(v command) bool { return v.Depth < 0 },
	func(v command) bool { return v.Limits[0] > v.Limits[1] },
}

func commandComesBack(t testing.TB, v command) {
	for i, loses := range commandLosses {
		if bug(i) && loses(v) {
			t.Errorf("%+v does not come back", v)
			return
		}
	}
}
