package guide

import (
	"math/rand/v2"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/archive"
)

// A gauge tells whether guiding values pays. While most values are valid, it is cheaper to throw
// the others away than to learn. Which sizes are valid matters: of naive search trees most may be
// valid since most are tiny, and hardly any of the larger ones is. So a gauge counts the values
// that are not guided in classes of size. A class is needy if less than a quarter is valid of its
// values, or, if it has too few of them, of those of the next smaller class.
//
//  1. Learning begins when more than a quarter of the values made are in needy classes.
//  2. Then half of the cost goes to guided values, and all of it if there is a valid example,
//     until there are enough to judge them by.
//  3. From then on values are plain or guided, mostly of the kind whose values have lately been
//     worth more for what they cost. A valid value of a needy class is worth the more, the rarer
//     its class is among the valid values, compared with all plain values. The cost is the number
//     of choices made; one that a guide makes costs several.
//
// So what a gauge decides is a function of the values and of which are valid, not of the machine.
type gauge struct {
	made, valid [archive.Classes]int64 // plain values, by class
	rejected    int64                  // plain values that the generator has rejected, of any class
	total       int64                  // of made, and rejected
	every       [archive.Classes]int64 // valid values, plain or guided, by class
	sum         int64                  // of every

	learning bool
	taught   bool        // by a valid example
	first    int         // guided values that are still to come, whatever they are worth
	kinds    [2]earnings // of plain values, and of guided ones
}

// earnings are what the values of a kind were worth lately, and what they cost.
type earnings struct{ values, worth, cost int64 }

const (
	plainKind = iota
	guidedKind
)

const (
	gaugeLeast  = 32  // plain values that must have been made before learning begins
	fewInClass  = 8   // plain values that do not tell what share of a class is valid
	gaugeWindow = 512 // values of a kind, after which earnings count half
	guidedFirst = 512 // guided values that are made, whatever they are worth, when learning begins
	plainShare  = 8   // one value in so many is plain, at least
	guidedShare = 32  // and one in so many is guided
	choiceCost  = 4   // of a choice that a guide makes, in those of plain ones
	mostWorth   = 8   // of a valid value whose class is rare; 1 is usual
	worthUnit   = 256
)

// watch records a plain value of the choices; of none if the generator has rejected it.
func (g *gauge) watch(t choices.Tree, class int, valid bool) {
	g.total++
	if len(t) == 0 {
		g.rejected++
	} else if g.made[class]++; valid {
		g.valid[class]++
	}
	least := int64(gaugeLeast)
	if g.sum == 0 {
		least /= 4
	}
	if !g.learning && g.total >= least && g.pays() {
		g.begin()
	}
}

func (g *gauge) begin() { g.learning, g.first = true, guidedFirst }

// pays reports whether learning should begin.
func (g *gauge) pays() bool {
	needy := int64(0)
	for c, made := range g.made {
		if made > 0 && g.needy(c) {
			needy += made
		}
	}
	return 4*(needy+g.rejected) > g.total
}

// needy reports whether plain values of a class are hardly ever valid.
func (g *gauge) needy(class int) bool {
	made, valid := g.made[class], g.valid[class]
	for class > 0 && made < fewInClass {
		class--
		made += g.made[class]
		valid += g.valid[class]
	}
	return 4*(valid+1) < made+2
}

// earn records what became of a value of a kind.
func (g *gauge) earn(kind, cost, class int, valid bool) {
	if kind == guidedKind && g.first > 0 {
		g.first--
	}
	e := &g.kinds[kind]
	if e.values++; e.values == gaugeWindow {
		*e = earnings{gaugeWindow / 2, e.worth / 2, e.cost / 2}
	}
	e.cost += int64(cost)
	if valid {
		g.every[class]++
		g.sum++
		if !g.needy(class) {
			return
		}
		e.worth += min(mostWorth*worthUnit, worthUnit*(g.made[class]+1)*g.sum/(g.total*g.every[class]+1))
	}
}

// guides reports whether the n-th value should be guided. While plain values are worth more for
// what they cost, only a few are. Otherwise the costs of both kinds are in proportion to that.
func (g *gauge) guides(n int, r *rand.Rand) bool {
	plain, guided := &g.kinds[plainKind], &g.kinds[guidedKind]
	switch {
	case !g.learning || n%plainShare == 0:
		return false
	case n%guidedShare == 1 || g.first > 0 && (g.taught || guided.cost <= plain.cost):
		return true
	}
	// The number of values is what they cost together divided by what one costs.
	x, y := float64(plain.yield()*plain.pace()), float64(guided.yield()*guided.pace())
	return plain.yield() < guided.yield() && r.Float64()*(x+y) >= x
}

// yield returns what values were worth for what they cost.
func (e *earnings) yield() float64 { return float64(e.worth) / float64(e.cost+1) }

// pace returns how many values there were for what they cost.
func (e *earnings) pace() float64 { return float64(e.values) / float64(e.cost+1) }
