package values

import (
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/archive"
)

// A gauge tells when guiding values begins to pay. While most values are valid, it is cheaper to
// throw the others away than to learn. Which sizes are valid matters: of naive search trees most
// may be valid since most are tiny, and hardly any of the larger ones is. So a gauge counts plain
// values in classes of size. A class is needy if less than a quarter of its values is valid, or, if
// it has too few of them, of the values of the next smaller class. Guiding pays once more than a
// quarter of the values are in needy classes.
type gauge struct {
	made, valid [archive.Classes]int64 // plain values, by class
	rejected    int64                  // plain values that the generator has rejected, of any class
	total       int64                  // of made, and rejected
	found       bool                   // a valid one
}

const (
	gaugeLeast = 32 // plain values that must have been made before guiding pays
	fewInClass = 8  // plain values that do not tell what share of a class is valid
)

// watch records a plain value of the choices; of none if the generator has rejected it. It reports
// whether guiding pays.
func (g *gauge) watch(t choices.Tree, class int, valid bool) (pays bool) {
	g.total++
	if len(t) == 0 {
		g.rejected++
	} else if g.made[class]++; valid {
		g.valid[class]++
		g.found = true
	}
	least := int64(gaugeLeast)
	if !g.found {
		least /= 4
	}
	return g.total >= least && g.pays()
}

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
