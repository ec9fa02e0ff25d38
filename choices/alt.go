package choices

import "github.com/espalier-go/espalier/internal/hash"

// An Alt is one alternative of a Pick, as a [Source] sees it.
type Alt struct {
	Tag     string
	Weight  float64 // at least 0; random sources take alternatives in proportion to it
	Code    uint8   // a hash of the tag, by which the byte format names it: see bigen.NewAlt
	Element bool    // of a pick that asks whether a sequence has another element
}

func addToFamily(h uint32, code uint8) uint32 { return (h + uint32(code)) * 0x9E3779B1 }

// Take records in c, a Pick, that alts[n] was taken. It sets the fields that depend on
// the alternatives: Tag, N, Lo, Hi, Family, Element and what the byte format needs to name
// alts[n] among alternatives whose tags have the same code.
func (c *Choice) Take(alts []Alt, n int) {
	taken := &alts[n]
	c.Tag, c.N, c.Lo, c.Hi = taken.Tag, int64(n), 0, int64(len(alts)-1)
	c.rank, c.peers, c.Element = 0, 0, taken.Element
	h := uint32(len(alts))
	for i := range alts {
		code := alts[i].Code
		h = addToFamily(h, code)
		if code != taken.Code {
			continue
		}
		if i < n {
			c.rank++
		}
		c.peers = min(c.peers+1, 2)
	}
	c.Family = uint16(h >> 16)
}

// An AltSet is alternatives that are offered again and again. What a pick records of them is
// computed once.
type AltSet struct {
	Alts   []Alt
	family uint16
	taken  []Choice
}

// NewAltSet returns the set of alts, one at least, which must not change.
func NewAltSet(alts []Alt) *AltSet {
	q := Question{Alts: alts}
	s := &AltSet{Alts: alts, family: q.Family(), taken: make([]Choice, len(alts))}
	var peers, ranks [256]int32 // by code
	for i := range alts {
		peers[alts[i].Code]++
	}
	for n := range alts {
		a := &alts[n]
		s.taken[n] = Choice{
			Kind: Pick, Size: 1, Tag: a.Tag, N: int64(n), Hi: int64(len(alts) - 1), Family: s.family,
			rank: ranks[a.Code], peers: uint8(min(peers[a.Code], 2)), Element: a.Element,
		}
		ranks[a.Code]++
	}
	return s
}

// Taken returns what a pick of the set records for the n-th alternative, without its place in the
// tree. It must not be changed.
func (s *AltSet) Taken(n int) *Choice { return &s.taken[n] }

// TakeIndex turns c, a Pick, into the edit that makes [Replay] take the alternative of
// index n, whatever its tag, or the last if there are not so many.
func (c *Choice) TakeIndex(n int64) { c.Tag, c.N, c.rank, c.peers = "", n, 0, 0 }

// byIndex reports whether [Choice.TakeIndex] made c what it is. No run records such a choice.
func (c *Choice) byIndex() bool { return c.Tag == "" && c.peers == 0 }

// indexIn returns the index of the alternative that c took, or -1 if no alternative has
// its tag. Among several with the tag, it is the one with the rank of c or else the last.
func (c *Choice) indexIn(alts []Alt) int {
	if c.byIndex() {
		return int(min(uint64(c.N), uint64(len(alts)-1)))
	}
	found, rank := -1, c.rank
	var code uint8
	if n := uint64(c.N); n < uint64(len(alts)) && alts[n].Tag == c.Tag { // mostly
		code = alts[n].Code
	} else {
		code = hash.TagCode(c.Tag)
	}
	for i := range alts {
		if alts[i].Code != code {
			continue
		}
		if alts[i].Tag == c.Tag {
			found = i
		}
		if rank--; rank < 0 && found >= 0 { // ranks count by code
			break
		}
	}
	return found
}
