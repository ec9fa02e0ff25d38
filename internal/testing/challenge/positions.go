package challenge

import (
	"fmt"
	"slices"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq"
)

// positions returns challenges whose integers are positions in something that shrinks.
func positions() []Challenge {
	return []Challenge{
		of("positions/element", 0, genPlaced(), func(p placed) bool { return p.List[p.At] >= 500 },
			"{[500] 0}"),
		of("positions/element after another", 0, genPlaced(), func(p placed) bool {
			return p.At > 0 && p.List[p.At] >= 500 && p.List[p.At-1] > 0
		}, "{[1 500] 1}"),
		of("positions/range", 0, genRange(), RangeOfLarge, "{[100 500] 0 1}"),

		of("insert/before the last", 0, genEdits(), BeforeLast,
			"[add 0 add 0 insert 1 0]"),
		of("insert/at a large", 0, genEdits(),
			editsFail(func(l []int, e Edit) bool { return e.At < len(l) && l[e.At] >= 500 }),
			"[add 500 insert 0 0]", "[insert 0 500 insert 0 0]"),
		of("insert/between", 0, genEdits(), editsFail(func(l []int, e Edit) bool {
			return e.At > 0 && e.At < len(l) && l[e.At-1] > e.X && e.X > l[e.At]
		}), "[add 2 add 0 insert 1 1]"),
		of("insert/in a third", 0, genEdits(), editsFail(func(l []int, e Edit) bool {
			return len(l) >= 6 && e.At == len(l)-2 && l[e.At] > 0
		}), "[add 0 add 0 add 0 add 0 add 1 add 0 insert 4 0]"),
		of("insert/at two", 0, genEdits(), func(all []Edit) bool {
			seen := map[int]bool{}
			apply(all, func(l []int, e Edit) {
				if e.At < len(l) && l[e.At] >= 500 && e.X < 100 {
					seen[l[e.At]] = true
				}
			})
			return len(seen) >= 2
		}, "[add 500 insert 0 0 add 501 insert 2 0]", "[add 500 add 501 insert 1 0 insert 0 0]",
			"[add 500 add 501 insert 0 0 insert 2 0]", "[add 500 insert 0 0 insert 0 501 insert 0 0]"),

		of("results/closed", 0, genUses(), func(u []Use) bool { return usedClosed(u, false, 0) },
			"[open close 0 write 0]"),
		of("results/closed, another written", 0, genUses(), UsedClosed,
			"[open open write 1 close 0 write 0]", "[open open close 0 write 1 write 0]"),
		of("results/closed, from the latest", 0, genUses(),
			func(u []Use) bool { return usedClosed(u, true, 0) }, "[open close 0 write 0]"),
		of("results/closed, from the latest, another written", 0, genUses(),
			func(u []Use) bool { return usedClosed(u, true, 1) },
			"[open write 0 open close 0 write 0]", "[open close 0 open write 0 write 1]"),
		of("results/large", 0, genTerms(),
			termsFail(func(t, a, b term, x, y int) bool {
				return !a.Sum && !b.Sum && x >= 50 && y >= 60
			}), "[60 sum 0 0]"),
		of("results/two", 0, genTerms(),
			termsFail(func(t, a, b term, x, y int) bool { return !a.Sum && !b.Sum && x >= 50 && y > x }),
			"[50 51 sum 0 1]"),
		of("results/sum of sums", 0, genTerms(),
			termsFail(func(t, a, b term, x, y int) bool { return a.Sum && b.Sum && t.A != t.B && x > 0 }),
			"[1 sum 0 0 sum 0 0 sum 1 2]"),

		of("calls/insert before the last", 0, listCalls.Gen(),
			callsFail(func(l []int, name string, at int) bool {
				return name == "Insert" && at > 0 && at == len(l)-1
			}), "[[Add 0] [Add 0] [Insert 1 0]]"),
		of("calls/insert at a large", 0, listCalls.Gen(),
			callsFail(func(l []int, name string, at int) bool {
				return name == "Insert" && at > 1 && l[at] >= 500
			}), "[[Add 0] [Add 0] [Add 500] [Insert 2 0]]"),
		of("calls/remove a large", 0, listCalls.Gen(), callsFail(func(l []int, name string, at int) bool {
			return name == "Remove" && len(l) > 1 && l[at] >= 500
		}), "[[Add 0] [Add 500] [Remove 1]]", "[[Add 500] [Add 0] [Remove 0]]",
			"[[Add 500] [Insert 0 0] [Remove 1]]"),
	}
}

type placed struct {
	List []int
	At   int
}

func genPlaced() bigen.Gen[placed] {
	return bigen.Struct(func(c *bigen.C, p *placed) {
		bigen.At(c, &p.List, bigen.SliceOf(bigen.IntRange(0, 1000), 1, 30))
		bigen.At(c, &p.At, bigen.IntRange(0, len(p.List)-1))
	})
}

// Ranged is a list and a range of it.
type Ranged struct {
	List     []int
	From, To int
}

func genRange() bigen.Gen[Ranged] {
	return bigen.Struct(func(c *bigen.C, r *Ranged) {
		bigen.At(c, &r.List, bigen.SliceOf(bigen.IntRange(0, 1000), 0, 30))
		bigen.At(c, &r.From, bigen.IntRange(0, len(r.List)))
		bigen.At(c, &r.To, bigen.IntRange(r.From, len(r.List)))
	})
}

// RangeOfLarge reports whether the range begins and ends with large integers.
func RangeOfLarge(r Ranged) bool {
	return r.From < r.To && r.To < len(r.List) && r.List[r.From] >= 100 && r.List[r.To] >= 500
}

// Edit adds X to the end of a list, or inserts it at a position.
type Edit struct {
	Insert bool
	At, X  int
}

func (e Edit) String() string {
	if e.Insert {
		return fmt.Sprint("insert ", e.At, " ", e.X)
	}
	return fmt.Sprint("add ", e.X)
}

func genEdits() bigen.Gen[[]Edit] {
	x := bigen.IntRange(0, 1000)
	return bigen.SliceBy(func(prev []Edit) (bigen.Gen[Edit], bool) {
		return bigen.Pick(
			bigen.Tag("add", bigen.Struct(func(c *bigen.C, e *Edit) { bigen.At(c, &e.X, x) })).Weight(2),
			bigen.Tag("insert", bigen.Struct(func(c *bigen.C, e *Edit) {
				e.Insert = true
				bigen.At(c, &e.At, bigen.IntRange(0, len(prev)))
				bigen.At(c, &e.X, x)
			}))), true
	}, 0, 40)
}

// BeforeLast reports whether an edit inserts before the last element of several.
func BeforeLast(all []Edit) bool {
	return editsFail(func(l []int, e Edit) bool { return e.At > 0 && e.At == len(l)-1 })(all)
}

// apply makes a list by edits. It calls see before each that inserts.
func apply(all []Edit, see func(l []int, e Edit)) {
	var l []int
	for _, e := range all {
		if !e.Insert {
			e.At = len(l)
		} else {
			see(l, e)
		}
		l = slices.Insert(l, e.At, e.X)
	}
}

func editsFail(fails func(l []int, e Edit) bool) func([]Edit) bool {
	return func(all []Edit) (failed bool) {
		apply(all, func(l []int, e Edit) { failed = failed || fails(l, e) })
		return failed
	}
}

// Use opens a file, or uses one that has been opened before: On says which.
type Use struct {
	Name string
	On   int
}

func (u Use) String() string {
	if u.Name == "open" {
		return u.Name
	}
	return fmt.Sprint(u.Name, " ", u.On)
}

func genUses() bigen.Gen[[]Use] {
	on := func(name string, opened int) bigen.Gen[Use] {
		return bigen.Struct(func(c *bigen.C, u *Use) {
			u.Name = name
			bigen.At(c, &u.On, bigen.IntRange(0, opened-1))
		})
	}
	return bigen.SliceBy(func(prev []Use) (bigen.Gen[Use], bool) {
		opened := opens(prev)
		open := bigen.Tag("open", bigen.Just(Use{Name: "open"}))
		if opened == 0 {
			return bigen.Pick(open), true
		}
		return bigen.Pick(open, bigen.Tag("write", on("write", opened)),
			bigen.Tag("close", on("close", opened))), true
	}, 0, 40)
}

func opens(all []Use) (n int) {
	for _, u := range all {
		if u.Name == "open" {
			n++
		}
	}
	return n
}

// UsedClosed reports whether a file is written to after it has been closed, and another one
// before. Uses count files from the first.
func UsedClosed(all []Use) bool { return usedClosed(all, false, 1) }

// usedClosed reports whether a file is written to after it has been closed, and after as many
// others have been written to. Uses count files from the first, or back from the latest.
func usedClosed(all []Use, back bool, others int) bool {
	closed, written := map[int]bool{}, map[int]bool{}
	for i, u := range all {
		if u.Name == "open" {
			continue
		}
		on := u.On
		if back {
			on = opens(all[:i]) - 1 - on
		}
		switch {
		case u.Name == "close":
			closed[on] = true
			delete(written, on)
		case !closed[on]:
			written[on] = true
		case len(written) >= others:
			return true
		}
	}
	return false
}

// term is a number, or the sum of two earlier terms.
type term struct {
	Sum     bool
	A, B, N int
}

func (t term) String() string {
	if t.Sum {
		return fmt.Sprint("sum ", t.A, " ", t.B)
	}
	return fmt.Sprint(t.N)
}

func genTerms() bigen.Gen[[]term] {
	return bigen.SliceBy(func(prev []term) (bigen.Gen[term], bool) {
		number := bigen.Tag("number",
			bigen.Struct(func(c *bigen.C, t *term) { bigen.At(c, &t.N, bigen.IntRange(0, 100)) }))
		if len(prev) == 0 {
			return bigen.Pick(number), true
		}
		earlier := bigen.IntRange(0, len(prev)-1)
		return bigen.Pick(number, bigen.Tag("sum", bigen.Struct(func(c *bigen.C, t *term) {
			t.Sum = true
			bigen.At(c, &t.A, earlier)
			bigen.At(c, &t.B, earlier)
		}))), true
	}, 0, 30)
}

// termsFail reports whether a sum of two terms fails.
func termsFail(fails func(t, a, b term, x, y int) bool) func([]term) bool {
	return func(all []term) bool {
		var values []int
		for _, t := range all {
			n := t.N
			if t.Sum {
				n = values[t.A] + values[t.B]
				if fails(t, all[t.A], all[t.B], values[t.A], values[t.B]) {
					return true
				}
			}
			values = append(values, n)
		}
		return false
	}
}

// listCalls are calls of a list, and of iterators over it.
var listCalls = callseq.New(func(c *callseq.C) {
	n := 0
	its := callseq.NewPool[*int](c, "it")
	x := bigen.IntRange(0, 1000)
	c.Op("Add", func() {
		callseq.Arg(c, "x", x)
		n++
	})
	c.Op("Insert", func() {
		callseq.Arg(c, "at", bigen.IntRange(0, n-1))
		callseq.Arg(c, "x", x)
		n++
	}).When(func() bool { return n > 0 })
	c.Op("Remove", func() {
		callseq.Arg(c, "at", bigen.IntRange(0, n-1))
		n--
	}).When(func() bool { return n > 0 })
	c.Op("Iter", func() { its.Add(new(int)) })
	c.Op("Next", func() { its.Draw("it") }).When(its.Any)
})

// callsFail calls see before each call, with what the list holds and the arguments.
func callsFail(fails func(l []int, name string, at int) bool) func(callseq.Calls) bool {
	return func(all callseq.Calls) bool {
		var l []int
		for _, call := range all {
			name, at := call[0].(string), len(l)
			if name == "Insert" || name == "Remove" {
				at = call[1].(int)
			}
			if fails(l, name, at) {
				return true
			}
			switch name {
			case "Remove":
				l = slices.Delete(l, at, at+1)
			case "Add", "Insert":
				l = slices.Insert(l, at, call[len(call)-1].(int))
			}
		}
		return false
	}
}
