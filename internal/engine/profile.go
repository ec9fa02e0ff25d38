package engine

import "math/bits"

// A profile knows, for each comparison in the code, how close its operands have
// come, so that inputs that come closer can be kept although they reach nothing new.
type profile struct{ sites map[uint64]*site }

// A site is a comparison in the code.
type site struct {
	near     [2]distance
	equal    bool // the operands have been equal
	learned  bool // its constant is in the dictionary
	searched int  // times that patches were made for it
}

// A distance is the least so far, in one sense.
type distance struct {
	least  uint64
	holder holder // the entry that was kept for it
	seen   bool
}

// A holder is an entry that has been put into the pool as the n-th.
type holder struct {
	entry  int
	serial uint64
}

const maxSites = 1 << 12

// site returns a site, or nil if there are too many.
func (p *profile) site(at uint64) *site {
	s := p.sites[at]
	if s == nil && len(p.sites) < maxSites {
		if p.sites == nil {
			p.sites = make(map[uint64]*site)
		}
		s = new(site)
		s.near[0].holder.entry, s.near[1].holder.entry = -1, -1
		p.sites[at] = s
	}
	return s
}

// numberDistances returns the difference and the number of different bits.
func numberDistances(a, b uint64, size int) [2]uint64 {
	d := extend(a-b, 8*size, false)
	return [2]uint64{min(d, extend(-d, 8*size, false)), uint64(bits.OnesCount64(a ^ b))}
}

// textDistances returns the numbers of bytes outside of the common beginning, and of the common end.
func textDistances(a, b []byte) [2]uint64 {
	n, m := 0, min(len(a), len(b))
	for n < m && a[n] == b[n] {
		n++
	}
	k := 0
	for k < m && a[len(a)-1-k] == b[len(b)-1-k] {
		k++
	}
	most := max(len(a), len(b))
	return [2]uint64{uint64(most - n), uint64(most - k)}
}

// profileFeature returns the feature that the entries have which come closest, in
// one of the two senses.
func profileFeature(at uint64, sense int) uint32 {
	return 8 * (1<<19 + uint32(mix(at*2+uint64(sense))%(1<<19)))
}
