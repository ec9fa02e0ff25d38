package predict

import "math"

// circle is types that lead to each other: a component of the graph of types.
type circle struct {
	types  []int
	mean   [][]float64 // how many picks of the second type follow on one of the first
	growth float64     // its spectral radius
}

// circles returns the components, kids before parents, and the component of each type.
func (g *Grammar) circles() ([]circle, []int) {
	of := components(len(g.types), func(i int, visit func(int)) {
		for _, a := range g.types[i].alts {
			if a.prob > 0 {
				a.each(visit)
			}
		}
	})
	count := 0
	for _, c := range of {
		count = max(count, c+1)
	}
	list := make([]circle, count)
	for i, c := range of {
		list[c].types = append(list[c].types, i)
	}
	for c := range list {
		list[c].mean = g.mean(list[c].types, func(a *alternative) float64 { return a.prob })
		list[c].growth = radius(list[c].mean)
	}
	return list, of
}

// unlimited returns the moments of values without a last level: those of each circle are the
// solution of linear equations.
func (g *Grammar) unlimited(list []circle, of []int, reward []float64) moment {
	m := make([]moment, len(g.types))
	for c := range list {
		ci := &list[c]
		mean, variance := make([]float64, len(ci.types)), make([]float64, len(ci.types))
		// What the circle does not make itself.
		outside := func(i int, a *alternative) (sum moment) {
			if a.constructor >= 0 {
				sum.mean = reward[a.constructor]
			}
			a.each(func(k int) {
				if of[k] != c {
					sum.mean += m[k].mean
					sum.variance += m[k].variance
				}
			})
			return sum
		}
		some := false
		for row, i := range ci.types {
			for n := range g.types[i].alts {
				if a := &g.types[i].alts[n]; a.prob > 0 {
					mean[row] += a.prob * outside(i, a).mean
				}
			}
			some = some || mean[row] > 0
		}
		if !some {
			continue
		}
		infinite := ci.growth >= 1
		for _, x := range mean {
			infinite = infinite || math.IsInf(x, 1)
		}
		if infinite {
			for _, i := range ci.types {
				m[i] = moment{math.Inf(1), math.Inf(1)}
			}
			continue
		}
		solve := solver(ci.mean)
		solve(mean)
		for row, i := range ci.types {
			m[i].mean = mean[row]
		}
		for row, i := range ci.types {
			for n := range g.types[i].alts {
				a := &g.types[i].alts[n]
				if a.prob == 0 {
					continue
				}
				part := outside(i, a)
				a.each(func(k int) {
					if of[k] == c {
						part.mean += m[k].mean
					}
				})
				variance[row] += a.prob * (part.variance + (part.mean-mean[row])*(part.mean-mean[row]))
			}
		}
		solve(variance)
		for row, i := range ci.types {
			m[i].variance = variance[row]
		}
	}
	return m[0]
}

// solver returns a function that turns b into the x with x = Mx + b, by elimination. It needs no
// pivots, since M has no negative entries and a radius below 1.
func solver(m [][]float64) func(b []float64) {
	n := len(m)
	a := matrix(n, n)
	for i := range a {
		for j := range a[i] {
			a[i][j] = -m[i][j]
		}
		a[i][i]++
	}
	for j := range n {
		for i := j + 1; i < n; i++ {
			if a[i][j] == 0 {
				continue
			}
			f := a[i][j] / a[j][j]
			a[i][j] = f
			for k := j + 1; k < n; k++ {
				a[i][k] -= f * a[j][k]
			}
		}
	}
	return func(b []float64) {
		for i := range n {
			for k := range i {
				b[i] -= a[i][k] * b[k]
			}
		}
		for i := n - 1; i >= 0; i-- {
			for k := i + 1; k < n; k++ {
				b[i] -= a[i][k] * b[k]
			}
			b[i] /= a[i][i]
		}
	}
}

// radius returns the spectral radius of a matrix without negative entries: the limit of the n-th
// root of the norm of its n-th power (Gelfand), by squaring.
func radius(m [][]float64) float64 {
	root := 1.0
	for power := 1.0; power > 1e-18; power /= 2 {
		norm := 0.0
		for _, row := range m {
			sum := 0.0
			for _, x := range row {
				sum += x
			}
			norm = max(norm, sum)
		}
		if norm == 0 {
			return 0
		}
		root *= math.Pow(norm, power)
		square := matrix(len(m), len(m))
		for i, row := range m {
			for k, x := range row {
				if x == 0 {
					continue
				}
				for j, y := range m[k] {
					square[i][j] += x / norm * (y / norm)
				}
			}
		}
		m = square
	}
	return root
}
