package tune

import (
	"math"
	"strings"

	"github.com/espalier-go/espalier/choices"
)

// start returns the model at which a search begins: a table for each choice point, whose weights
// depend on what has been made and on the depth. If picks decide how large a value becomes,
// weights are scaled so that each question leads to .97 more on average. start also returns
// which points decide.
func start(s *Subject, seed uint64, limit int) (m *Model, decide []bool) {
	y := s.inspect(seed+1, 1000, criticalTilt(s, seed, limit), limit)
	m = New()
	m.SetLimit(limit)
	m.parts = y.parts
	for _, p := range y.points {
		if p.Kind != choices.Pick && !p.decides { // without the tilt
			even := 1 / float64(len(p.weights))
			p.weights = make([]float64, len(p.weights))
			for i := range p.weights {
				p.weights[i] = even
			}
		}
		for k, w := range p.weights {
			p.weights[k] = round(w)
		}
		if len(p.weights) > 1 {
			m.Set(p.Point, &Table{N: len(p.weights), Rest: p.weights})
			decide = append(decide, p.decides)
		}
	}
	nodes, depth := scales(s, m, seed+2)
	promises := map[string]bool{}
	for _, p := range m.parts {
		promises[strings.Join(p.Tags, "\x00")] = true
	}
	counts := count(m, s.Objectives)
	nodesGiven, depthGiven := 32, 20
	if n := len(counts); n > 0 { // otherwise, cells would be too rare to learn from
		nodesGiven, depthGiven = 16>>n, 16>>n
	}
	for _, p := range m.points {
		by := Nodes
		if promises[strings.Join(p.Tags, "\x00")] {
			by = promised
		}
		t := *p.sampler.(*Table)
		t.Given = append([]Given{
			{Feature: by, Width: max(1, int(math.Round(nodes*32/25/float64(nodesGiven)))),
				Cells: nodesGiven},
			{Feature: Depth, Width: 1 + int(depth*1.3+2)/depthGiven, Cells: depthGiven},
		}, counts...)
		m.Set(p.Point, &t)
	}
	return m, decide
}

// count makes m count the tags of sizes, and returns the cells for that.
func count(m *Model, objectives []Objective) (given []Given) {
	for _, o := range objectives {
		if n := len(m.counted); len(o.Tags) > 0 && strings.HasPrefix(o.Name, "size") && n < len(counted) {
			given = append(given, Given{counted[n], max(1, int(math.Round(o.Target/12))), 16})
			m.counted = append(m.counted, o.Tags)
		}
	}
	return given
}

// criticalTilt returns the tilt at which each pick leads to .97 more on average, which makes 33 in
// all. If there are always more, the goal is half as many again. The tilt is 1 if no tilt leads to
// as many.
func criticalTilt(s *Subject, seed uint64, limit int) float64 {
	const most = 1e3
	asked := func(tilt float64) float64 { return s.inspect(seed, 300, tilt, limit).asked }
	want := max(1/(1-.97), 1.5*asked(1/most))
	if asked(most) < want {
		return 1
	}
	lo, hi := -math.Log(most), math.Log(most)
	for range 14 {
		mid := (lo + hi) / 2
		if asked(math.Exp(mid)) < want {
			lo = mid
		} else {
			hi = mid
		}
	}
	return math.Exp((lo + hi) / 2)
}

// scales returns how many nodes, and what depth, values that meet the objectives have: the
// targets, by the proportions of a sample.
func scales(s *Subject, m *Model, seed uint64) (nodes, depth float64) {
	byNodes, byDepth := make([]line, len(s.Objectives)), make([]line, len(s.Objectives))
	var all line
	s.Sample(m, seed, 1000, func(r *Run) {
		if r.Failed {
			return
		}
		all.add(float64(r.nodes), float64(r.depth))
		for i, x := range r.Measures {
			byNodes[i].add(x, float64(r.nodes))
			byDepth[i].add(x, float64(r.depth))
		}
	})
	nodes, depth = 2*all.x/max(1, all.n), 2*all.y/max(1, all.n)
	at, best := 0.0, 0.0
	for i, o := range s.Objectives {
		if o.covers != nil {
			continue
		}
		if c := byNodes[i].correlation(); c > max(.5, at) {
			at, nodes = c, o.Target*byNodes[i].ratio()
		}
		if c := byDepth[i].correlation(); c > max(.5, best) {
			best, depth = c, o.Target*byDepth[i].ratio()
		}
	}
	return nodes, depth
}

// line holds the moments of pairs of numbers.
type line struct{ n, x, y, xx, xy, yy float64 }

func (l *line) add(x, y float64) {
	l.n, l.x, l.y = l.n+1, l.x+x, l.y+y
	l.xx, l.xy, l.yy = l.xx+x*x, l.xy+x*y, l.yy+y*y
}

// ratio returns the mean of y, divided by the mean of x.
func (l *line) ratio() float64 {
	if l.x <= 0 {
		return 1
	}
	return l.y / l.x
}

func (l *line) correlation() float64 {
	vx, vy := l.n*l.xx-l.x*l.x, l.n*l.yy-l.y*l.y
	if vx <= 0 || vy <= 0 {
		return 0
	}
	return (l.n*l.xy - l.x*l.y) / math.Sqrt(vx*vy)
}
