package mutants

import (
	"math"
	"slices"
	"sort"

	"pgregory.net/rapid"

	"github.com/espalier-go/espalier/bigen"
)

var intervals = New(Spec[intervalCase]{
	Name: "intervals",
	Bugs: []string{
		"add: adjacent before stays apart", "add: adjacent after stays apart", "add: wraps at the end", "add: wraps at the beginning",
		"add: swallows one only", "add: ends too early", "add: begins too late", "add: first is lost", "add: single point is lost",

		"remove: within does not split", "remove: leaves its first point", "remove: leaves its last point", "remove: wraps at the end",
		"remove: wraps at the beginning", "remove: only from the first", "remove: equal leaves an empty one",

		"contains: not the first point", "contains: not the last point", "contains: not in the last of four",
		"intersect: advances the wrong one", "intersect: single points are lost", "intersect: last is lost", "intersect: equal ends advance both, and one more",

		"complement: of nothing is nothing", "complement: wraps at the beginning", "complement: wraps at the end",
		"union: tail is lost", "union: of equal sets is nothing", "count: overflows",
	},
	Valid: func(c intervalCase) bool { return c.A.valid() && c.B.valid() && c.X.Lo <= c.X.Hi },
	Fails: func(bug string, c intervalCase) bool { return lines(bug).fails(c) },

	Built: genIntervalCase(bigen.As[set](bigen.SliceBy(behind, 0, math.MaxInt)), genInterval(math.MinInt16)),
	Naive: genIntervalCase(bigen.As[set](bigen.SliceOf(genAnyInterval, 0, math.MaxInt)), genAnyInterval),
	RapidBuilt: func(t *rapid.T) intervalCase {
		return intervalCase{rapidSet(t), rapidSet(t), rapidInterval(t, math.MinInt16), rapid.Int16().Draw(t, "point")}
	},
	RapidNaive: func(t *rapid.T) intervalCase {
		g := rapid.Custom(rapidAnyInterval)
		s := rapid.SliceOf(g)
		return intervalCase{s.Draw(t, "a"), s.Draw(t, "b"), g.Draw(t, "x"), rapid.Int16().Draw(t, "point")}
	},
})

// An interval has both of its ends.
type interval struct{ Lo, Hi int16 }

// A set consists of ascending intervals with at least one number between.
type set []interval

type intervalCase struct {
	A, B  set
	X     interval
	Point int16
}

func genIntervalCase(s bigen.Gen[set], x bigen.Gen[interval]) bigen.Gen[intervalCase] {
	return bigen.Struct(func(c *bigen.C, v *intervalCase) {
		bigen.At(c, &v.A, s)
		bigen.At(c, &v.B, s)
		bigen.At(c, &v.X, x)
		bigen.At(c, &v.Point, bigen.Int[int16]())
	})
}

var genAnyInterval = bigen.Struct(func(c *bigen.C, x *interval) {
	bigen.At(c, &x.Lo, bigen.Int[int16]())
	bigen.At(c, &x.Hi, bigen.Int[int16]())
})

// genInterval makes intervals that begin at least or later.
func genInterval(least int16) bigen.Gen[interval] {
	return bigen.Struct(func(c *bigen.C, x *interval) {
		bigen.At(c, &x.Lo, bigen.IntRange(least, math.MaxInt16))
		bigen.At(c, &x.Hi, bigen.IntRange(x.Lo, math.MaxInt16))
	})
}

func behind(prev []interval) (g bigen.Gen[interval], ok bool) {
	if len(prev) == 0 {
		return genInterval(math.MinInt16), true
	}
	hi := prev[len(prev)-1].Hi
	if hi >= math.MaxInt16-1 {
		return g, false
	}
	return genInterval(hi + 2), true
}

func rapidAnyInterval(t *rapid.T) interval {
	return interval{rapid.Int16().Draw(t, "lo"), rapid.Int16().Draw(t, "hi")}
}

func rapidInterval(t *rapid.T, least int16) interval {
	lo := rapid.Int16Range(least, math.MaxInt16).Draw(t, "lo")
	return interval{lo, rapid.Int16Range(lo, math.MaxInt16).Draw(t, "hi")}
}

func rapidSet(t *rapid.T) (s set) {
	least := int16(math.MinInt16)
	for range rapid.IntRange(0, 16).Draw(t, "intervals") {
		x := rapidInterval(t, least)
		if s = append(s, x); x.Hi >= math.MaxInt16-1 {
			break
		}
		least = x.Hi + 2
	}
	return s
}

func (s set) valid() bool {
	for i, x := range s {
		if x.Lo > x.Hi || i > 0 && int(x.Lo) < int(s[i-1].Hi)+2 {
			return false
		}
	}
	return true
}

func (s set) has(point int) bool {
	return slices.ContainsFunc(s, func(x interval) bool { return int(x.Lo) <= point && point <= int(x.Hi) })
}

// Lines implements sets of integers by intervals.
type lines string

func (m lines) fails(c intervalCase) bool {
	points := []int{math.MinInt16, math.MaxInt16, int(c.Point)}
	for _, x := range slices.Concat(c.A, c.B, set{c.X}) {
		points = append(points, int(x.Lo)-1, int(x.Lo), int(x.Hi), int(x.Hi)+1)
	}
	points = slices.DeleteFunc(points, func(p int) bool { return p < math.MinInt16 || p > math.MaxInt16 })
	is := func(s set, has func(point int) bool) bool {
		return s.valid() && !slices.ContainsFunc(points, func(p int) bool { return s.has(p) != has(p) })
	}
	within := func(p int) bool { return set{c.X}.has(p) }
	n := 0
	for _, x := range c.A {
		n += int(x.Hi) - int(x.Lo) + 1
	}
	return m.contains(c.A, c.Point) != c.A.has(int(c.Point)) ||
		len(c.A) > 0 && !(m.contains(c.A, c.A[len(c.A)-1].Lo) && m.contains(c.A, c.A[0].Hi)) ||
		m.count(c.A) != n ||
		!is(m.add(c.A, c.X), func(p int) bool { return c.A.has(p) || within(p) }) ||
		!is(m.remove(c.A, c.X), func(p int) bool { return c.A.has(p) && !within(p) }) ||
		!is(m.complement(c.A), func(p int) bool { return !c.A.has(p) }) ||
		!is(m.intersect(c.A, c.B), func(p int) bool { return c.A.has(p) && c.B.has(p) }) ||
		!is(m.union(c.A, c.B), func(p int) bool { return c.A.has(p) || c.B.has(p) })
}

// before returns the number before x, or x if there is none.
func (m lines) before(bug string, x int16) int16 {
	if x == math.MinInt16 && string(m) != bug {
		return x
	}
	return x - 1
}

func (m lines) after(bug string, x int16) int16 {
	if x == math.MaxInt16 && string(m) != bug {
		return x
	}
	return x + 1
}

func (m lines) add(s set, x interval) (sum set) {
	if m == "add: single point is lost" && x.Lo == x.Hi {
		return s
	}
	i := 0
	for i < len(s) && s[i].Hi < m.before("add: wraps at the beginning", x.Lo) || i < len(s) && m == "add: adjacent before stays apart" && s[i].Hi < x.Lo {
		sum = append(sum, s[i])
		i++
	}
	if m == "add: first is lost" && i > 1 {
		sum = sum[1:]
	}
	end := m.after("add: wraps at the end", x.Hi)
	if m == "add: adjacent after stays apart" {
		end = x.Hi
	}
	for swallowed := 0; i < len(s) && s[i].Lo <= end && (m != "add: swallows one only" || swallowed == 0); swallowed++ {
		if m != "add: begins too late" {
			x.Lo = min(x.Lo, s[i].Lo)
		}
		if m != "add: ends too early" {
			x.Hi = max(x.Hi, s[i].Hi)
		}
		i++
	}
	return append(append(sum, x), s[i:]...)
}

func (m lines) remove(s set, x interval) (rest set) {
	for i, y := range s {
		if y.Hi < x.Lo || x.Hi < y.Lo || m == "remove: only from the first" && i > 0 {
			rest = append(rest, y)
			continue
		}
		if m == "remove: within does not split" && y.Lo < x.Lo && x.Hi < y.Hi {
			rest = append(rest, interval{y.Lo, x.Lo - 1})
			continue
		}
		if m == "remove: equal leaves an empty one" && x == y {
			rest = append(rest, interval{x.Hi, x.Lo})
			continue
		}
		if y.Lo < x.Lo || m == "remove: wraps at the beginning" && x.Lo == math.MinInt16 {
			hi := x.Lo - 1
			if m == "remove: leaves its first point" {
				hi++
			}
			rest = append(rest, interval{y.Lo, hi})
		}
		if x.Hi < y.Hi || m == "remove: wraps at the end" && x.Hi == math.MaxInt16 {
			lo := x.Hi + 1
			if m == "remove: leaves its last point" {
				lo--
			}
			rest = append(rest, interval{lo, y.Hi})
		}
	}
	return rest
}

func (m lines) contains(s set, point int16) bool {
	if m == "contains: not in the last of four" && len(s) >= 4 {
		s = s[:len(s)-1]
	}
	i := sort.Search(len(s), func(i int) bool { return s[i].Hi >= point })
	switch {
	case i == len(s), m == "contains: not the first point" && s[i].Lo == point, m == "contains: not the last point" && s[i].Hi == point:
		return false
	}
	return s[i].Lo <= point
}

func (m lines) intersect(a, b set) (both set) {
	for len(a) > 0 && len(b) > 0 {
		x := interval{max(a[0].Lo, b[0].Lo), min(a[0].Hi, b[0].Hi)}
		if x.Lo < x.Hi || x.Lo == x.Hi && m != "intersect: single points are lost" {
			both = append(both, x)
		}
		if m == "intersect: last is lost" && len(a) == 1 && len(both) > 2 {
			return both
		}
		if m == "intersect: equal ends advance both, and one more" && a[0].Hi == b[0].Hi && len(a) > 1 {
			a = a[2:]
			b = b[1:]
		} else if (a[0].Hi < b[0].Hi) != (m == "intersect: advances the wrong one") {
			a = a[1:]
		} else {
			b = b[1:]
		}
	}
	return both
}

func (m lines) complement(s set) (rest set) {
	if m == "complement: of nothing is nothing" && len(s) == 0 {
		return nil
	}
	lo := int16(math.MinInt16)
	for _, x := range s {
		if lo < x.Lo || m == "complement: wraps at the beginning" && x.Lo == math.MinInt16 {
			rest = append(rest, interval{lo, x.Lo - 1})
		}
		if x.Hi == math.MaxInt16 && m != "complement: wraps at the end" {
			return rest
		}
		lo = x.Hi + 1
	}
	return append(rest, interval{lo, math.MaxInt16})
}

func (m lines) union(a, b set) set {
	if m == "union: of equal sets is nothing" && len(a) > 0 && slices.Equal(a, b) {
		return nil
	}
	if m == "union: tail is lost" && len(b) > 2 {
		b = b[:2]
	}
	for _, x := range b {
		a = m.add(a, x)
	}
	return a
}

func (m lines) count(s set) (n int) {
	for _, x := range s {
		if m == "count: overflows" {
			n += int(x.Hi - x.Lo + 1)
		} else {
			n += int(x.Hi) - int(x.Lo) + 1
		}
	}
	return n
}
