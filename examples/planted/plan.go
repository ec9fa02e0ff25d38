package planted

import (
	"cmp"
	"slices"
)

// A Plan is a query on tables: an operator on the rows of In.
type Plan struct {
	Op    Operator
	N     int // the column; of a Scan, the table; of a Limit, how many rows less one
	In    *Plan
	Right *Plan // of a Semijoin and of a Merge
}

// An Operator says what a [Plan] does.
type Operator int

const (
	Scan     Operator = iota // the rows of a table
	Sort                     // by a column, stable
	Distinct                 // the first row of each value
	Filter                   // rows whose value is not 0
	Limit                    // the first rows
	Reverse                  // the last row first
	Semijoin                 // rows whose value occurs in Right
	Merge                    // made by Optimize: a sorted Semijoin of distinct rows, not 0
)

// Columns is the number of columns of a table, and of tables.
const Columns = 8

// A Row has a small number in each column.
type Row [Columns]int8

var tables = func() (tables [Columns][]Row) {
	x := uint32(1)
	for i := range tables {
		tables[i] = make([]Row, 6)
		for j := range tables[i] {
			for k := range tables[i][j] {
				x = x*1664525 + 1013904223
				tables[i][j][k] = int8(x >> 24 % 5)
			}
		}
	}
	return tables
}()

// Run returns the rows of p.
func (p *Plan) Run() []Row {
	if p.Op == Scan {
		return slices.Clone(tables[p.N])
	}
	rows := p.In.Run()
	switch p.Op {
	case Sort:
		sortRows(rows, p.N)
	case Distinct:
		rows = distinct(rows, p.N)
	case Filter:
		rows = filter(rows, p.N)
	case Limit:
		rows = rows[:min(p.N+1, len(rows))]
	case Reverse:
		for i, j := 0, len(rows)-1; i < j; i, j = i+1, j-1 {
			rows[i], rows[j] = rows[j], rows[i]
		}
	case Semijoin:
		right := p.Right.Run()
		rows = slices.DeleteFunc(rows, func(r Row) bool {
			return !slices.ContainsFunc(right, func(s Row) bool { return s[p.N] == r[p.N] })
		})
	case Merge:
		rows = merge(rows, p.Right.Run(), p.N)
	}
	return rows
}

func sortRows(rows []Row, n int) {
	slices.SortStableFunc(rows, func(a, b Row) int { return cmp.Compare(a[n], b[n]) })
}

func distinct(rows []Row, n int) []Row {
	seen := [128]bool{}
	return slices.DeleteFunc(rows, func(r Row) bool {
		old := seen[r[n]]
		seen[r[n]] = true
		return old
	})
}

func filter(rows []Row, n int) []Row {
	return slices.DeleteFunc(rows, func(r Row) bool { return r[n] == 0 })
}

// merge merges both sides, which are sorted.
func merge(left, right []Row, n int) (rows []Row) {
	left = distinct(filter(left, n), n)
	sortRows(left, n)
	sortRows(right, n)
	for len(left) > 0 && len(right) > 0 {
		switch l, r := left[0], right[0]; {
		case l[n] > r[n]:
			right = right[1:]
		case l[n] == r[n]:
			rows = append(rows, l)
			left = left[1:]
		default:
			left = left[1:]
		}
	}
	return rows
}

// Optimize returns a plan that has the rows of p for less work. It does not change p.
func Optimize(p *Plan) *Plan {
	if p == nil {
		return nil
	}
	switch {
	case p.Op == Reverse && p.In.Op == Reverse:
		return Optimize(p.In.In)
	case p.Op == Limit && p.In.Op == Limit:
		return Optimize(&Plan{Op: Limit, N: min(p.N, p.In.N), In: p.In.In})
	case p.Op == Sort:
		if merged := mergeJoin(p); merged != nil {
			return merged
		}
	}
	return &Plan{p.Op, p.N, Optimize(p.In), Optimize(p.Right)}
}

// mergeJoin returns the Merge that does the work of a sorted Semijoin. It returns nil unless
// all of these are on one column: the Sort; the Semijoin; the Distinct, the Filter and the
// Sort on its left; the Sort on its right. Planted by ladder: the sides are swapped.
func mergeJoin(p *Plan) *Plan {
	join := p.In
	if join.Op != Semijoin || join.N != p.N {
		return nil
	}
	unique := join.In
	if unique.Op != Distinct || unique.N != p.N {
		return nil
	}
	some := unique.In
	if some.Op != Filter || some.N != p.N {
		return nil
	}
	left := some.In
	if left.Op != Sort || left.N != p.N {
		return nil
	}
	right := join.Right
	if right.Op != Sort || right.N != p.N {
		return nil
	}
	if planted == ladder {
		left, right = right, left
	}
	return &Plan{Merge, p.N, Optimize(left.In), Optimize(right.In)}
}
