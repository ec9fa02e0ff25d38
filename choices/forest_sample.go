package choices

import (
	"math"
	"math/rand/v2"
)

// Sample returns one of the trees, each equally likely. If it comes upon one that has
// more choices than a generator makes, it returns the leftmost.
func (f *Forest) Sample(r *rand.Rand) Tree {
	s := sampler{r, map[*Point]counted{}, nil}
	s.add(f.Points)
	if len(s.tree) > maxTree {
		return f.First()
	}
	return s.tree
}

// sampler makes one tree of a forest.
type sampler struct {
	r     *rand.Rand
	known map[*Point]counted
	tree  Tree
}

// counted says how many trees a point has, as a logarithm, and which share of them
// each of its ways has.
type counted struct {
	log    float64
	shares []float64
}

// add appends a tree of points. It stops once the tree is too large.
func (s *sampler) add(points []*Point) {
	for _, p := range points {
		if len(s.tree) > maxTree {
			return
		}
		i, way := len(s.tree), &p.Ways[0]
		if len(p.Ways) > 1 {
			u := s.r.Float64()
			for n, share := range s.count(p).shares {
				way = &p.Ways[n]
				if u -= share; u < 0 {
					break
				}
			}
		}
		s.tree = append(s.tree, way.Choice)
		s.add(way.Below)
		s.tree[i].Size = int32(len(s.tree) - i)
	}
}

func (s *sampler) count(p *Point) counted {
	c, ok := s.known[p]
	if ok {
		return c
	}
	c.shares = make([]float64, len(p.Ways))
	for n, way := range p.Ways {
		for _, below := range way.Below {
			c.shares[n] += s.count(below).log
		}
	}
	c.log = logSum(c.shares)
	for n, log := range c.shares {
		c.shares[n] = math.Exp(log - c.log)
	}
	s.known[p] = c
	return c
}
