package predict

import "golang.org/x/exp/slices"

// A Grammar is a multi-type branching process ("Branching Processes for QuickCheck
// Generators", section 4): the individuals are picks, and the offspring of a pick are those
// that its branch asks. [Read] makes it. It does not change, and several goroutines may use
// it at once.
type Grammar struct {
	types        []typ // the first is the root: one alternative, whose offspring are the first picks
	constructors []Constructor
	familyOf     []int // by constructor: its first family
	families     []family
}

// A Constructor is an alternative of a pick.
type Constructor struct {
	Family uint16 // [choices.Family], the same for all picks with these alternatives
	Tag    string

	// Place tells constructors apart that many types share: "stop" and "more" of slices and the
	// like, "nil" and "ptr" of pointers. It is a hash of the slot and of the tag that the pick
	// around has taken, and 0 for other constructors.
	Place uint64
}

// String returns the tag.
func (c Constructor) String() string { return c.Tag }

// A typ is the picks that offer the same constructors, with the same weights, and that have the
// same offspring: a type of the paper, or the part of one that is so many levels deep. Its
// alternatives are those of its family.
type typ struct {
	name   string
	family int
	alts   []alternative
	self   int // -1, or the alternative after which the sequence goes on in the same type
}

type alternative struct {
	constructor int  // index in constructors, or -1 for that of the root
	absent      bool // the generator gives it weight 0: what follows on it is unknown
	weight      float64
	prob        float64
	kids        []int // types, one level further in
	next        int   // the type of the next question of the sequence, on the same level, or -1
}

// family is the types that a source can tell from others without a history: those with the
// same tags and, if these are common, at the same place. It decides what remains at the last level.
type family struct {
	tags   []string
	hash   uint16
	common bool
	place  uint64 // if common
	points []point
	last   []bool // by alternative: whether it remains
}

// point is a slot, and the tag that the pick around has taken: see tune.Point.
type point struct {
	slot uint32
	in   string
}

// checkTags returns an error if no alternative has one of the tags.
func (g *Grammar) checkTags(tags []string) error {
	for _, tag := range tags {
		if !slices.ContainsFunc(g.constructors, func(c Constructor) bool { return c.Tag == tag }) {
			return unknownTag(tag)
		}
	}
	return nil
}

// each calls f with the types of all that follows on a.
func (a *alternative) each(f func(kid int)) {
	for _, k := range a.kids {
		f(k)
	}
	if a.next >= 0 {
		f(a.next)
	}
}

func matrix(rows, columns int) [][]float64 {
	m := make([][]float64, rows)
	for i := range m {
		m[i] = make([]float64, columns)
	}
	return m
}
