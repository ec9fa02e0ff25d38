package exact

import (
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/hash"
	"golang.org/x/exp/slices"
)

// Prior returns a prior that makes values. It answers integers and texts at random. It serves one
// run at a time.
func (c *Counts) Prior() choices.Prior { return &prior{c: c} }

// prior implements [choices.Prior].
type prior struct {
	c     *Counts
	begun bool
	by    int      // the picks that it has answered
	lost  bool     // bytes, or a filter, have led to an impossible state
	todo  []parcel // the future picks, the next one last
	word  uint64
}

// parcel is a future pick, with the size and height that it must have.
type parcel struct {
	typ, size, height int
	exact             bool // of this height, not only at most
}

func (p *prior) Begin() {
	p.begun, p.lost, p.by, p.word = false, false, 0, 0
	p.todo = p.todo[:0]
}

// Answered returns how many picks of the last run were answered by counts.
func (p *prior) Answered() int { return p.by }

// random returns a number from 0 to 1.
func (p *prior) random() float64 {
	p.word = hash.Mix(p.word, 0x9e3779b97f4a7c15)
	return float64(p.word>>11) / (1 << 53)
}

// next returns the pick that is asked, or nil.
func (p *prior) next(q *choices.Question) *parcel {
	if !p.begun {
		p.begun = true
		pair := p.c.pairs[int(p.random()*float64(len(p.c.pairs)))]
		p.split(&p.c.rules[0][0], parcel{0, pair.size, pair.height, true})
	}
	if p.lost || len(p.todo) == 0 {
		return nil
	}
	next := &p.todo[len(p.todo)-1]
	if f := &p.c.Types[next.typ]; len(q.Alts) != len(f.Tags) || q.Family() != p.c.families[next.typ] {
		return nil
	}
	return next
}

func (p *prior) Pick(q *choices.Question, word uint64) int {
	p.word = hash.Mix(p.word, word)
	next := p.next(q)
	if next == nil {
		return q.DrawPick(word)
	}
	p.by++
	total := 0.0
	rules := p.c.rules[next.typ]
	for i := range rules {
		total += rules[i].ways(next)
	}
	x, last := p.random()*total, 0
	for i := range rules {
		w := rules[i].ways(next)
		if w > 0 {
			last = i
		}
		if x < w {
			break
		}
		x -= w
	}
	return last
}

func (p *prior) Picked(q *choices.Question, n int) {
	if len(q.Alts) == 1 {
		return
	}
	next := p.next(q)
	if next == nil || p.c.rules[next.typ][n].ways(next) == 0 {
		p.lost = true
		return
	}
	one := *next
	p.todo = p.todo[:len(p.todo)-1]
	p.split(&p.c.rules[one.typ][n], one)
}

// ways returns in how many ways a rule makes what a parcel asks for.
func (r *rule) ways(p *parcel) float64 {
	switch {
	case r.Absent:
		return 0
	case p.exact:
		return r.exact[0][p.height][p.size]
	}
	return r.most[0][p.height][p.size]
}

// split draws the parcel of each symbol of a rule.
func (p *prior) split(r *rule, one parcel) {
	first := len(p.todo)
	size, exact := one.size, one.exact && one.height != r.Height
	for j := range r.Parts {
		part := p.part(r, j, size, one.height, exact)
		size -= part.size
		exact = exact && !part.exact
		p.todo = append(p.todo, part)
	}
	slices.Reverse(p.todo[first:])
}

// part draws the parcel of symbol j. If exact is true, it or a later one must be as high as
// possible.
func (p *prior) part(r *rule, j, size, h int, exact bool) parcel {
	typ, below := r.Parts[j][0], h-r.Parts[j][1]
	most, highest := p.c.most[typ], p.c.exact[typ]
	total := r.most[j][h][size]
	if exact {
		total = r.exact[j][h][size]
	}
	x, last := p.random()*total, parcel{typ: typ}
	try := func(w float64, part parcel) bool {
		if w > 0 {
			last = part
		}
		x -= w
		return x < 0 && w > 0
	}
	for i := 0; i <= size; i++ {
		rest := r.most[j+1][h][size-i]
		if !exact {
			if try(most[below][i]*rest, parcel{typ: typ, size: i, height: below}) {
				break
			}
			continue
		}
		if try(highest[below][i]*rest, parcel{typ: typ, size: i, height: below, exact: true}) {
			break
		}
		if below > 0 && try(most[below-1][i]*r.exact[j+1][h][size-i], parcel{
			typ:    typ,
			size:   i,
			height: below - 1,
		}) {
			break
		}
	}
	return last
}

func (p *prior) Int(q *choices.Question, word uint64) int64   { return q.DrawInt(word) }
func (p *prior) Text(q *choices.Question, word uint64) string { return q.DrawText(word) }

func (p *prior) Leave()                              {}
func (p *prior) IntGiven(*choices.Question, int64)   {}
func (p *prior) TextGiven(*choices.Question, string) {}
