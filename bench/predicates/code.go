package main

import (
	"fmt"
	"slices"
	"strings"
)

// The methods code return a generator in Go, as the text of a declaration of gen.

func (b *bounds) code(p *predicate) string {
	c, step := b.columns[0], len(b.columns)
	switch {
	case p.ofRecord():
		return fmt.Sprintf("var gen = %s\n", b.structCode(p, false))
	case step > 1:
		return fmt.Sprintf("var gen = bigen.SliceBy(func(prev %s) (bigen.Gen[%s], bool) {\n"+
			"\treturn %s, true\n}, %d, %d)\n", p.goType, p.goType[2:], b.structCode(p, false), b.least, maxLen)
	case b.ends:
		return fmt.Sprintf(`type cell struct {
	X    int
	Rest *cell
}

// after makes what follows elements whose sum leaves rest.
func after(rest int) bigen.Gen[*cell] {
	if rest == 0 {
		return bigen.Nil[cell]()
	}
	return bigen.New(func(c *bigen.C, l *cell) {
		bigen.At(c, &l.X, bigen.IntRange(%d, rest))
		bigen.At(c, &l.Rest, after(rest-l.X))
	})
}

var gen = %s
`, c.lo, listCode(fmt.Sprintf("after(%d)", c.high.sum)))
	case c.low.kind+c.high.kind == "" && c.distinct:
		return fmt.Sprintf("var gen = bigen.Distinct(%s, %d, %d)\n", rangeCode("int", c), b.least, maxLen)
	case c.low.kind+c.high.kind == "":
		return fmt.Sprintf("var gen = bigen.SliceOf(%s, %d, %d)\n", rangeCode("int", c), b.least, maxLen)
	}
	elem := "bigen.IntRange(lo, hi)"
	ends := endCode("lo", "max", c.low, p) + endCode("hi", "min", c.high, p)
	if c.distinct {
		elem = "bigen.SuchThat(" + elem + ", func(x int) bool { return !slices.Contains(prev, x) })"
	}
	return fmt.Sprintf(`var gen = bigen.SliceBy(func(prev []int) (bigen.Gen[int], bool) {
	lo, hi := %d, %d
%s	if lo > hi {
		return bigen.Gen[int]{}, false
	}
	return %s, true
}, %d, %d)
`, c.lo, c.hi, ends, elem, b.least, maxLen)
}

// structCode makes one struct. Its last field may be filtered.
func (b *bounds) structCode(p *predicate, filtered bool) string {
	var s strings.Builder
	fmt.Fprintf(&s, "bigen.Struct(func(c *bigen.C, v *%s) {\n", strings.TrimPrefix(p.goType, "[]"))
	for i, c := range b.columns {
		name, typ, _ := strings.Cut(p.fields[i], " ")
		if typ == "" {
			typ = "int"
		}
		switch {
		case filtered && i == len(b.columns)-1:
			fmt.Fprintf(&s, "\tbigen.At(c, &v.%s, bigen.SuchThat(%s, func(x %s) bool {\n"+
				"\t\twith := *v\n\t\twith.%s = x\n\t\treturn valid(with)\n\t}))\n",
				name, rangeCode(typ, c), typ, name)
			continue
		case c.low.kind+c.high.kind == "":
			fmt.Fprintf(&s, "\tbigen.At(c, &v.%s, %s)\n", name, rangeCode(typ, c))
			continue
		}
		fmt.Fprintf(&s, "\tlo%d, hi%d := %d, %d\n", i, i, c.lo, c.hi)
		s.WriteString(endCode(fmt.Sprint("lo", i), "max", c.low, p))
		s.WriteString(endCode(fmt.Sprint("hi", i), "min", c.high, p))
		fmt.Fprintf(&s, "\tbigen.At(c, &v.%s, bigen.IntRange(lo%d, max(lo%d, hi%d)))\n", name, i, i, i)
	}
	return s.String() + "})"
}

// elementCode filters each element by the predicate of the list so far.
func elementCode(p *predicate, least int) string {
	elem := strings.TrimPrefix(p.goType, "[]")
	if p.goType == "string" {
		elem = "rune"
	}
	return fmt.Sprintf(`var gen = bigen.SliceBy(func(prev []%[1]s) (bigen.Gen[%[1]s], bool) {
	return bigen.SuchThat(bigen.For[%[1]s](), func(x %[1]s) bool {
		return valid(append(slices.Clone(prev), x))
	}), true
}, %[2]d, %[3]d)
`, elem, least, maxLen)
}

func rangeCode(typ string, c column) string {
	if typ == "int" {
		return fmt.Sprintf("bigen.IntRange(%d, %d)", c.lo, c.hi)
	}
	return fmt.Sprintf("bigen.IntRange[%s](%d, %d)", typ, c.lo, c.hi)
}

// endCode moves one end of a range by a term.
func endCode(end, f string, t term, p *predicate) string {
	field := func(v string, col int) string {
		if p.fields == nil {
			return v
		}
		name, _, _ := strings.Cut(p.fields[col], " ")
		return fmt.Sprintf("int(%s.%s)", v, name)
	}
	x := ""
	switch t.kind {
	case "":
		return ""
	case "before":
		x = field("prev[len(prev)-1]", t.col)
	case "here":
		x = field("v", t.col)
	case "count":
		x = "len(prev)"
	case "rest":
		x = fmt.Sprint(t.sum)
		for i := range p.fields[:len(p.fields)-1] {
			x += " - " + field("v", i)
		}
	}
	if t.off != 0 {
		x += fmt.Sprintf("%+d", t.off)
	}
	line := fmt.Sprintf("\t%s = %s(%s, %s)\n", end, f, end, x)
	if t.kind == "before" {
		return "\tif len(prev) > 0 {\n" + line + "\t}\n"
	}
	return line
}

// listCode makes a slice of the linked list that a generator makes.
func listCode(first string) string {
	return `bigen.Iso(` + first + `,
	func(l *cell) (v []int) {
		for ; l != nil; l = l.Rest {
			v = append(v, l.X)
		}
		return v
	},
	func(v []int) (l *cell, ok bool) {
		for i := range v {
			l = &cell{v[len(v)-1-i], l}
		}
		return l, true
	})`
}

func (s *states) code(p *predicate) string {
	var b strings.Builder
	b.WriteString("type cell struct {\n\tX    int\n\tRest *cell\n}\n\n")
	kinds := ""
	for _, l := range s.letters {
		kinds += fmt.Sprintf("\t{%s},\n", strings.Trim(strings.ReplaceAll(fmt.Sprint(
			append([]int{l}, s.class[l]...)), " ", ", "), "[]"))
	}
	fmt.Fprintf(&b, "// letters are the letters of each kind.\nvar letters = [][]int{\n%s}\n\n", kinds)
	if s.table == nil {
		fmt.Fprintf(&b, `// next returns the count after a letter of a kind.
func next(state, kind int) (int, bool) {
	need, add := %#v, %#v
	return state + add[kind], state >= need[kind] && state+add[kind] >= 0
}

func ends(state int) bool { return state == %d }

// toward returns the kind of a letter that leads to the end.
func toward(state int) int {
	if state < %d {
		return %d
	}
	return %d
}
`, s.need, s.add, s.end, s.end, max(0, slices.Index(s.add, 1)), slices.Index(s.add, -1))
	} else {
		var accept []bool
		var to []int
		for i := range s.table {
			accept, to = append(accept, s.ends(i)), append(to, s.toward(i))
		}
		fmt.Fprintf(&b, `// next returns the state after a letter of a kind.
func next(state, kind int) (int, bool) {
	to := %#v[state][kind]
	return to, to >= 0
}

func ends(state int) bool { return %#v[state] }

// toward returns the kind of a letter that leads to an end soonest.
func toward(state int) int { return %#v[state] }
`, s.table, accept, to)
	}
	gen := listCode("after.Gen(0)")
	if p.goType == "string" {
		gen = "bigen.Iso(" + gen + `,
	func(v []int) string {
		r := make([]rune, len(v))
		for i, x := range v {
			r[i] = rune(x)
		}
		return string(r)
	},
	func(s string) (v []int, ok bool) {
		for _, r := range s {
			v = append(v, int(r))
		}
		return v, true
	})`
	}
	fmt.Fprintf(&b, `
// after makes what follows in a state.
var after = bigen.NewFamily(func(self *bigen.Family[int, *cell]) bigen.Gen[*cell] {
	then := func(kind func(state int) int) bigen.Gen[*cell] {
		return bigen.New(func(c *bigen.C, l *cell) {
			i := kind(self.Param(c))
			to, _ := next(self.Param(c), i)
			bigen.At(c, &l.X, bigen.OneOf(letters[i]...))
			bigen.At(c, &l.Rest, self.Gen(to))
		})
	}
	alts := []bigen.Alt[*cell]{
		bigen.Tag("end", bigen.Nil[cell]()).If(self.Is(ends)),
		bigen.Tag("close", then(toward)).If(self.Is(func(s int) bool { return !ends(s) })),
	}
	for i := range letters {
		alts = append(alts, bigen.Tag(fmt.Sprint(i), then(func(int) int { return i })).
			If(self.Is(func(s int) bool { _, ok := next(s, i); return ok })))
	}
	return bigen.Pick(alts...)
})

var gen = %s
`, gen)
	return b.String()
}
