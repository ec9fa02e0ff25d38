package api

import (
	"math/rand/v2"
	"strconv"
	"strings"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen/callseq/internal/operand"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/mutate"
)

// ways are the edits that make a sequence of another one.
var ways = append([]mutate.Operator{
	{Name: "append", Apply: func(_ *mutate.Mutator, t choices.Tree, r *rand.Rand) (choices.Tree, bool) {
		return more(t), true
	}},
	{Name: "repeat", Apply: repeat},
	{Name: "join", Apply: join},
	{Name: "weave", Apply: weave},
	{Name: "alias", Apply: alias},
}, mutate.Operators()...)

const (
	adding = iota
	repeating
	joining
	weaving
)

// appending are the ways that leave the calls of a sequence as they are, by their odds.
var appending = [...]int{adding, adding, adding, adding, adding, joining, joining, joining, joining, repeating}

// callsOf returns where the choices of calls end, and how many calls there are.
func callsOf(t choices.Tree) (end, n int) {
	for end < len(t) && t[end].N != 0 {
		end, n = t.End(end), n+1
	}
	return end, n
}

// more appends a call that is made at random.
func more(t choices.Tree) choices.Tree {
	end, _ := callsOf(t)
	if end == len(t) {
		return t // it is as long as can be
	}
	call := t[end]
	call.Kind, call.Reroll = choices.Regenerate, true
	return slices.Insert(slices.Clone(t), end, call)
}

// mostRepeats bounds how often the last call is repeated.
const mostRepeats = 100

// repeat appends the last call many times over, half of the time each with new literals.
func repeat(_ *mutate.Mutator, t choices.Tree, r *rand.Rand) (choices.Tree, bool) {
	end, n := callsOf(t)
	if n == 0 {
		return t, false
	}
	last := 0
	for range n - 1 {
		last = t.End(last)
	}
	again := slices.Clone(t[last:end])
	if r.IntN(2) == 0 {
		for i := range again {
			if strings.HasPrefix(again[i].Tag, "literal") {
				for j := i + 1; j < again.End(i); j++ {
					again[j].Reroll = true
				}
			}
		}
	}
	out := slices.Clone(t[:end])
	for range 1 + r.IntN(mostRepeats) {
		out = append(out, again...)
	}
	return append(out, t[end:]...), true
}

// alias gives the last call a literal of an earlier one: what was put by a key is found by that
// key.
func alias(_ *mutate.Mutator, t choices.Tree, r *rand.Rand) (choices.Tree, bool) {
	end, n := callsOf(t)
	last := 0
	for range n - 1 {
		last = t.End(last)
	}
	isLiteral := func(i int) bool { return t[i].Size > 1 && strings.HasPrefix(t[i].Tag, "literal") }
	at, found := oneOf(last, end, r, isLiteral)
	if !found {
		return t, false
	}
	from, found := oneOf(0, last, r, func(i int) bool {
		return isLiteral(i) && t[i+1].Kind == t[at+1].Kind && t[i+1].Family == t[at+1].Family
	})
	if !found {
		return t, false
	}
	return t.Splice(at+1, t.At(from+1)), true
}

// oneOf returns one of the numbers of a range that are fit, if there are any.
func oneOf(from, to int, r *rand.Rand, fit func(i int) bool) (one int, found bool) {
	n := 0
	for i := from; i < to; i++ {
		if fit(i) {
			if n++; r.IntN(n) == 0 {
				one = i
			}
		}
	}
	return one, n > 0
}

// join appends another sequence, whose results get other names, and a call.
func join(m *mutate.Mutator, t choices.Tree, r *rand.Rand) (choices.Tree, bool) {
	if len(m.Corpus) == 0 {
		return t, false
	}
	other := m.Corpus[r.IntN(len(m.Corpus))]
	end, _ := callsOf(t)
	to, _ := callsOf(other)
	return more(slices.Insert(slices.Clone(t), end, renamed(t, other)[:to]...)), true
}

// renamed returns a sequence whose results have other names than those of another one.
func renamed(t, other choices.Tree) choices.Tree {
	most := map[string]int{}
	for i := range t {
		kind, n := numbered(t[i].Tag)
		most[kind] = max(most[kind], n)
	}
	out := slices.Clone(other)
	for i := range out {
		if kind, n := numbered(out[i].Tag); n > 0 && most[kind] > 0 {
			out[i].Tag = kind + strconv.Itoa(n+most[kind])
		}
	}
	return out
}

// numbered returns the kind and the number of what could be the name of a result.
func numbered(tag string) (kind string, n int) {
	end := len(tag)
	for end > 0 && '0' <= tag[end-1] && tag[end-1] <= '9' {
		end--
	}
	if end > 0 && end < len(tag) {
		n, _ = strconv.Atoi(tag[end:])
	}
	return tag[:end], n
}

// renumber gives the results of calls the first names of their kinds again, in order, after calls
// have been taken out: for such names there are generators. If tidy is set, only those that calls
// use get names.
func (m *machine) renumber(t choices.Tree, tidy bool) {
	for _, p := range m.pools {
		p.names.Reset()
	}
	used := map[string]bool{}
	for i := 0; i < len(t) && tidy; i++ {
		used[t[i].Tag] = used[t[i].Tag] || m.makes[t[i].Slot] == nil
	}
	now := map[string]string{}
	for i := range t {
		c := &t[i]
		if _, n := numbered(c.Tag); n == 0 {
			continue
		}
		name, ok := now[c.Tag]
		if p := m.makes[c.Slot]; p != nil {
			ok = true
			if name = operand.Unnamed; used[c.Tag] || !tidy {
				name = string(p.names.Next())
			}
			now[c.Tag] = name
		}
		if ok {
			c.Tag = name
		}
	}
}
