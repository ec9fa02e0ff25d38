package main

import (
	"math"

	"pgregory.net/rapid"

	"github.com/espalier-go/espalier/bigen"
)

// firstRows count the values up to the first that fails a property for which a bug is easy to
// find: that is when the order of sizes matters. Their bugs are those by which the schedule of
// choices.Varied is tuned; those of the rows sample/ are not.
func firstRows() []row {
	var rows []row
	for i, b := range firstBugs() {
		i += len(sampleBugs())
		rows = append(rows,
			row{"check/first/" + b.name + " values", "rapid.Check", ratioAtMost(1), func(quick bool) (figure, figure, error) {
				base, err := rapidValues(i, firstRuns(quick))
				return meanValues(b.values(firstRuns(quick), varied)), meanValues(base), err
			}},
			row{"check/first/" + b.name + "/random values", "choices.Random", ratioAtMost(1), func(quick bool) (figure, figure, error) {
				return meanValues(b.values(firstRuns(quick), varied)), meanValues(b.values(firstRuns(quick), plain)), nil
			}})
	}
	return rows
}

func firstRuns(quick bool) int {
	if quick {
		return 51
	}
	return 501
}

// meanValues returns the geometric mean, on which no single run has much influence.
func meanValues(values []int) (f figure) {
	sum := 0.
	for _, n := range values {
		sum += math.Log(float64(n))
		f.more = f.more || n >= sampleCap
	}
	f.value = math.Exp(sum / float64(max(1, len(values))))
	return f
}

type ratio struct{ Num, Den, Scale int64 }

var genRatio = bigen.Struct(func(c *bigen.C, r *ratio) {
	bigen.At(c, &r.Num, bigen.Int[int64]())
	bigen.At(c, &r.Den, bigen.Int[int64]())
	bigen.At(c, &r.Scale, bigen.Int[int64]())
})

func rapidRatio(t *rapid.T) ratio {
	g := rapid.Int64()
	return ratio{g.Draw(t, "num"), g.Draw(t, "den"), g.Draw(t, "scale")}
}

func firstBugs() []sampleBug {
	ints := bigen.SliceOf(bigen.IntRange(0, many), 0, math.MaxInt)
	rapidInts := draws(rapid.SliceOf(rapid.IntRange(0, many)))
	wide := bigen.SliceOf(bigen.Int[int64](), 0, math.MaxInt)
	rapidWide := draws(rapid.SliceOf(rapid.Int64()))
	ops := bigen.SliceOf(bigen.OneOf("get", "put", "drop", "sync"), 0, math.MaxInt)
	rapidOps := draws(rapid.SliceOf(rapid.SampledFrom([]string{"get", "put", "drop", "sync"})))
	tree := genSet(0, lastKey)
	rapidTree := func(t *rapid.T) *set { return rapidSet(t, 0, lastKey) }
	expr := genArith()
	text := bigen.String(50)
	rapidText := draws(rapid.StringN(0, 50, -1))

	return []sampleBug{
		newSampleBug("two elements", ints, rapidInts, func(v []int) bool { return len(v) >= 2 && v[0] != v[1] }),
		newSampleBug("five elements", ints, rapidInts, func(v []int) bool { return len(v) >= 5 }),
		newSampleBug("25 elements", ints, rapidInts, func(v []int) bool { return len(v) >= 25 }),
		newSampleBug("large element", ints, rapidInts, func(v []int) bool { return len(v) > 0 && v[0] > 1000 }),
		newSampleBug("descent", ints, rapidInts, func(v []int) bool { return len(v) >= 3 && v[0] > v[1] && v[1] < v[2] }),
		newSampleBug("two nodes", tree, rapidTree, func(s *set) bool { return s.size() >= 2 }),
		newSampleBug("left and right", tree, rapidTree, func(s *set) bool { return s != nil && s.L != nil && s.R != nil }),
		newSampleBug("ten nodes", tree, rapidTree, func(s *set) bool { return s.size() >= 10 }),
		newSampleBug("addition", expr, rapidArith, func(e *arith) bool { return e.count('+') > 0 }),
		newSampleBug("sum of products", expr, rapidArith, func(e *arith) bool { return e.any(func(e *arith) bool { return e.Op == '+' && e.X.Op == '*' }) }),
		newSampleBug("text", text, rapidText, func(s string) bool { return len(s) >= 4 }),
		newSampleBug("record", genRecord, rapidRecord, func(r record) bool { return r.ID > 1000 && r.Name != "" && len(r.Tags) > 0 }),
		newSampleBug("zero divisor", genRatio, rapidRatio, func(r ratio) bool { return r.Den == 0 && r.Num != 0 }),
		newSampleBug("zero and one", genRatio, rapidRatio, func(r ratio) bool { return r.Num == 0 && r.Scale == 1 }),
		newSampleBug("minus one", genRatio, rapidRatio, func(r ratio) bool { return r.Scale == -1 && r.Num > 100 }),
		newSampleBug("a zero within", wide, rapidWide, func(v []int64) bool { return len(v) >= 3 && v[1] == 0 && v[0] != 0 && v[2] != 0 }),
		newSampleBug("negative", wide, rapidWide, func(v []int64) bool { return len(v) > 0 && v[len(v)-1] < -100 }),
		newSampleBug("calls", ops, rapidOps, func(v []string) bool { return after(v, "put", "drop", "put", "get") }),
		newSampleBug("many calls", ops, rapidOps, func(v []string) bool {
			n := map[string]int{}
			for _, op := range v {
				n[op]++
			}
			return n["put"] >= 6 && n["drop"] >= 6
		}),
		newSampleBug("calls in a row", ops, rapidOps, func(v []string) bool { return len(v) >= 20 && after(v[15:], "sync", "get") }),
	}
}

// after reports whether the calls are among ops, in this order.
func after(ops []string, calls ...string) bool {
	for _, op := range ops {
		if len(calls) > 0 && op == calls[0] {
			calls = calls[1:]
		}
	}
	return len(calls) == 0
}
