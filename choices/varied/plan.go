package varied

import (
	"math/rand/v2"

	"github.com/espalier-go/espalier/internal/chance"
)

// A plan says in which respects a value is extreme.
type plan struct {
	plain    bool // in none
	simplest bool // all answers are
	number   int  // the value's
	steps    bool // it has a sequence of steps
	sure     bool // and part of its length is certain

	sharing  sharing
	features features
	ints     integerStyle
	texts    textStyle
	bits     uint8 // the length, in bits, of distances between integers
	scale    uint8 // the length, in bits, of most integers of a very wide range; 0 for any
	runes    uint8 // of few different runes, how many; of short texts, the length

	size int32   // steps
	grow float64 // by which steps gain weight
	seed uint64  // of the features

	edges, repeat, again uint16 // of 256: integers at edges; repeated answers; repeated steps
}

// firstSizes has the sizes of the values after the first ones, small and large in turn.
var firstSizes = [...]int32{naturals + 1: 1, 32, 2, chance.NaturalSize, 8, 64}

// naturals is how many values at the beginning are extreme in nothing: most bugs that are easy to
// find show in such a value. In every other one, most integers of very wide ranges are below
// 1 << naturalScale, since small integers meet more often. The value after the naturals has the
// simplest answers throughout.
const (
	naturals     = 4
	naturalScale = 7
)

// sharing says how much of the remaining size a part gets, below a step or in a field: all of it,
// which makes values narrow and deep; all or any part; or little, which makes them wide.
type sharing uint8

const (
	shareAll sharing = iota
	shareSome
	shareLittle
)

// features says which alternatives occur: all as usual; each tag with probability 1/2, as in swarm
// testing (Groce et al., "Swarm Testing", ISSTA 2012); with other weights, by factors from 1/16 to
// 16; or one tag of each pick. The alternative that ends values always stays.
type features uint8

const (
	usualFeatures features = iota
	someLeftOut
	otherWeights
	oneEach
)

// integerStyle says whether integers are near the origin, or the integers of a field ascend or
// descend.
type integerStyle uint8

const (
	usualIntegers integerStyle = iota
	nearOrigin
	ascending
	descending
)

// textStyle says whether texts are short, or of at most three different runes.
type textStyle uint8

const (
	usualTexts textStyle = iota
	shortTexts
	fewRunes
)

func newPlan(r *rand.Rand, i int) plan {
	switch {
	case i < naturals:
		p := plan{size: chance.NaturalSize, grow: 1, seed: r.Uint64(), number: max(0, i)}
		if i > 0 && i%2 == 1 {
			p.scale = naturalScale
		}
		return p
	case i == naturals:
		return plan{simplest: true, number: i}
	}
	s := chance.Words(r.Uint64())
	if i >= len(firstSizes) && s.Below(4) == 0 {
		return plan{plain: true}
	}
	p := plan{seed: s.Next(), number: i}

	// The size. It is the number of a value's steps: of the alternatives taken, other than the
	// first, that make it grow. Half of the values after the first ones have sizes from 4 to 127,
	// in cycles. The other half have the size that the generator's weights give.
	p.grow = 1
	switch e := i % 10; {
	case i < len(firstSizes):
		p.size = firstSizes[i]
	case e < 5:
		p.size = 4<<e + int32(s.Below(4<<e))
	default:
		p.size = chance.NaturalSize
	}
	if p.size < chance.NaturalSize {
		p.grow = float64(int(1) << s.Below(6))
		p.sharing = [...]sharing{shareAll, shareSome, shareSome, shareLittle}[s.Below(4)]
	}
	// The features, in half of the values.
	if s.Below(2) == 0 {
		p.features = [...]features{someLeftOut, someLeftOut, otherWeights, oneEach}[s.Below(4)]
	}

	// Integers have a style in three of eight values, and most of very wide ranges have a scale in
	// half of the others. Texts have a style in half of the values. In a third, some or all integers
	// are edges.
	p.bits = uint8(s.Below(11))
	if s.Below(2) == 0 {
		p.scale = p.bits
	}
	p.ints = [...]integerStyle{
		usualIntegers, usualIntegers, usualIntegers, usualIntegers, usualIntegers,
		nearOrigin, ascending, descending,
	}[s.Below(8)]
	if s.Below(3) == 0 {
		p.edges = [...]uint16{64, 192, 256}[s.Below(3)]
	}
	p.runes = uint8(1 + s.Below(3))
	p.texts = [...]textStyle{usualTexts, usualTexts, shortTexts, fewRunes}[s.Below(4)]
	if p.size <= 2 {
		p.ints, p.edges = nearOrigin, 0
		p.texts = shortTexts
	}

	// Repetitions: in half of the values of integers and texts, in half of steps.
	if s.Below(2) == 0 {
		p.repeat = [...]uint16{16, 64, 128, 224}[s.Below(4)]
	}
	if s.Below(2) == 0 {
		p.again = [...]uint16{8, 32, 128}[s.Below(3)]
	}
	return p
}

// toSteps adapts a plan to a value with a sequence of steps ([choices.Question.Steps]). Such a
// sequence helps only if it is long enough, so its value has no size of its own, not even one
// of the first. Of these values, one in four keeps its features, integers, texts and repetitions.
// In half, integers are near the origin, so that steps affect each other; in the rest, more than a
// third of the integers repeat earlier ones, so that what a container holds occurs again. After the
// first values, half of these keep their features: without the steps that remove, a container
// fills. In values 0, 2, 4 and 6, a third of the mean length is certain.
func (p *plan) toSteps() {
	p.steps, p.simplest = true, false
	p.size, p.grow, p.sharing = chance.NaturalSize, 1, shareAll
	early := p.number < 8
	usual := plan{number: p.number, steps: true, size: chance.NaturalSize, grow: 1, seed: p.seed}
	if !early && p.number%2 == 0 {
		usual.features = p.features
	}
	switch {
	case early && p.number%2 == 0:
		*p, p.sure = usual, true
	case p.number%4 == 0:
		*p = usual
		p.repeat = 96
	case early || p.number%4 != 3:
		*p = usual
		p.ints, p.bits = nearOrigin, 2+uint8(p.seed&3)
	}
}
