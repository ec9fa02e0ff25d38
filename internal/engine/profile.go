package engine

// A profile is the history of the comparisons in the code.
type profile struct{ sites map[uint64]*site }

// A site is a comparison in the code.
type site struct {
	equal    bool // the operands have been equal
	learned  bool // its constant is in the dictionary
	searched int  // how often patches were made for it
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
		p.sites[at] = s
	}
	return s
}
