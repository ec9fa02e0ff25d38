package search

import (
	"math"
	"slices"
	"strings"

	"github.com/espalier-go/espalier/bigen/tune"
	"github.com/espalier-go/espalier/choices"
)

// start returns the model at which a search begins: a table for each choice point. Where picks
// decide on how large a value becomes, weights are scaled such that each question expects .97
// further ones. With contexts, weights depend on what has been made and on the depth. It also
// returns which points decide.
func start(s Subject, seed uint64, limit int, contexts bool) (m *tune.Model, decide []bool, err error) {
	tilt, err := criticalTilt(s, seed, limit)
	if err != nil {
		return nil, nil, err
	}
	survey, err := s.Inspect(seed+1, 1000, tilt, limit)
	if err != nil {
		return nil, nil, err
	}
	m = tune.New()
	m.SetLimit(limit)
	m.SetParts(survey.Parts...)
	for _, p := range survey.Points {
		weights := p.Weights
		if p.Kind != choices.Pick && !p.Decides { // without the tilt
			weights = slices.Repeat([]float64{1 / float64(len(weights))}, len(weights))
		}
		if len(weights) > 1 {
			m.Set(p.Point, &tune.Table{N: len(weights), Rest: rounded(weights)})
			decide = append(decide, p.Decides)
		}
	}
	if !contexts {
		return m, decide, nil
	}
	nodes, depth, err := scales(s, m, seed+2)
	if err != nil {
		return nil, nil, err
	}
	promises := map[string]bool{}
	for _, p := range survey.Parts {
		promises[strings.Join(p.Tags, "\x00")] = true
	}
	counts := count(m, s.Objectives())
	nodesGiven, depthGiven := 32, 20
	if n := len(counts); n > 0 { // with as many cells, each would be too rare to learn from
		nodesGiven, depthGiven = 16>>n, 16>>n
	}
	for _, p := range m.Points() {
		by := tune.Nodes
		if promises[strings.Join(p.Tags, "\x00")] {
			by = tune.Promised
		}
		t := *m.Sampler(p).(*tune.Table)
		t.Given = []tune.Given{
			{Feature: by, Width: max(1, int(math.Round(nodes*32/25/float64(nodesGiven)))), Cells: nodesGiven},
			{Feature: tune.Depth, Width: 1 + int(depth*1.3+2)/depthGiven, Cells: depthGiven},
		}
		t.Given = append(t.Given, counts...)
		m.Set(p, &t)
	}
	return m, decide, nil
}

// count makes m count the tags that objectives count, and returns the cells for that.
func count(m *tune.Model, objectives []tune.Objective) (given []tune.Given) {
	var counted [][]string
	for _, o := range objectives {
		if len(o.Counted) > 0 && len(counted) < tune.MaxCounted {
			given = append(given, tune.Given{
				Feature: tune.Counted + tune.Feature(len(counted)),
				Width:   max(1, int(math.Round(o.Target/12))), Cells: 16,
			})
			counted = append(counted, o.Counted)
		}
	}
	m.SetCounted(counted...)
	return given
}

// criticalTilt returns the tilt at which each pick expects .97 further ones: of the process that
// begins with one, 33 in all. If there are always more, it is half as many again. The tilt is 1 if
// it does not lead to so many.
func criticalTilt(s Subject, seed uint64, limit int) (float64, error) {
	const most = 1e3
	asked := func(tilt float64) (float64, error) {
		survey, err := s.Inspect(seed, 300, tilt, limit)
		if err != nil {
			return 0, err
		}
		return survey.Asked, nil
	}
	few, err := asked(1 / most)
	if err != nil {
		return 0, err
	}
	want := max(1/(1-.97), 1.5*few)
	if many, err := asked(most); err != nil || many < want {
		return 1, err
	}
	lo, hi := -math.Log(most), math.Log(most)
	for range 14 {
		mid := (lo + hi) / 2
		n, err := asked(math.Exp(mid))
		if err != nil {
			return 0, err
		}
		if n < want {
			lo = mid
		} else {
			hi = mid
		}
	}
	return math.Exp((lo + hi) / 2), nil
}

// scales returns how many nodes, and what depth, values that meet the objectives have: the
// targets, by the proportions of a sample.
func scales(s Subject, m *tune.Model, seed uint64) (nodes, depth float64, err error) {
	objectives := s.Objectives()
	byNodes, byDepth := make([]line, len(objectives)), make([]line, len(objectives))
	var all line
	err = s.Sample(m, seed, 1000, func(r *Run) {
		if r.Failed {
			return
		}
		all.add(float64(r.Nodes), float64(r.Depth))
		for i, x := range r.Measures {
			byNodes[i].add(x, float64(r.Nodes))
			byDepth[i].add(x, float64(r.Depth))
		}
	})
	nodes, depth = 2*all.meanX(), 2*all.meanY()
	at, best := 0.0, 0.0
	for i, o := range objectives {
		if c := byNodes[i].correlation(); c > max(.5, at) {
			at, nodes = c, o.Target*byNodes[i].ratio()
		}
		if c := byDepth[i].correlation(); c > max(.5, best) {
			best, depth = c, o.Target*byDepth[i].ratio()
		}
	}
	return nodes, depth, err
}

// line holds the moments of pairs.
type line struct{ n, x, y, xx, xy, yy float64 }

func (l *line) add(x, y float64) {
	l.n, l.x, l.y = l.n+1, l.x+x, l.y+y
	l.xx, l.xy, l.yy = l.xx+x*x, l.xy+x*y, l.yy+y*y
}

func (l *line) meanX() float64 { return l.x / max(1, l.n) }
func (l *line) meanY() float64 { return l.y / max(1, l.n) }

// ratio returns the mean of y to that of x.
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
