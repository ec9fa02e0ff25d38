package rl

import (
	"cmp"
	"math"

	"golang.org/x/exp/slices"
)

// policyFeatures is the version of the meaning of a policy's keys and rows. It must change
// when factors or paths compute other keys, when questions become other decisions, or
// when the meaning of rows changes.
const policyFeatures = 1

// packedRow is a saved row of the default policy: the probability and the evidence of
// each slot that differs from a fresh one.
type packedRow struct {
	key      uint64
	slots    uint16
	theta, n [slots]uint8 // codes; 0 for the slots not in slots
}

// packed returns the rows that differ from fresh ones.
func (l *factors) packed() []packedRow {
	fresh := thetaCode(priorTheta)
	var all []packedRow
	add := func(key uint64, row *factorRow) {
		p := packedRow{key: key}
		for i := range row.theta {
			if c := thetaCode(row.theta[i]); far(c, fresh) {
				p.slots |= 1 << i
				p.theta[i], p.n[i] = c, countCode(row.n[i])
			}
		}
		if p.slots != 0 {
			all = append(all, p)
		}
	}
	t := l.table
	for key, i := range t.young.index {
		add(key, t.young.row(i))
	}
	if t.old != nil && t.old != t.young {
		for key, i := range t.old.index {
			if t.young.find(key) < 0 {
				add(key, t.old.row(i))
			}
		}
	}
	slices.SortFunc(all, func(a, b packedRow) int { return cmp.Compare(a.key, b.key) })
	return all
}

// unpackRows returns the rows in the form that the learner uses.
func unpackRows(packed []packedRow) *generation[factorRow] {
	g := newGeneration[factorRow]()
	for i := range packed {
		p, row := &packed[i], freshFactors()
		for j := range slots {
			if p.slots>>j&1 == 1 {
				row.theta[j], row.n[j] = thetaOf(p.theta[j]), countOf(p.n[j])
			}
		}
		g.add(p.key, &row)
	}
	return g
}

// evidence says which of two rows is worth more.
func (p *packedRow) evidence() (sum float32) {
	for i := range slots {
		if p.slots>>i&1 == 1 {
			sum += countOf(p.n[i])
		}
	}
	return sum
}

// A byte encodes a probability by its distance from 0 or, with the bit nearOne, from 1,
// whichever is nearer. The higher the code, the shorter the distance. Below the top bit
// are four bits of exponent, then three of mantissa. All codes are exact in a float32, so
// that they are the same on every platform.
const (
	nearOne   = 0x80
	minThetas = 1.0 / (1 << 17)
)

func thetaCode(theta float32) uint8 {
	side, x := uint8(0), float64(theta)
	if !(x < 0.5) {
		side, x = nearOne, 1-x
	}
	if !(x > minThetas) {
		x = minThetas
	}
	f, exp := math.Frexp(x)
	m := int(math.Round(f * 16))
	if m == 16 {
		m, exp = 8, exp+1
	}
	if exp > -1 {
		m, exp = 15, -1
	}
	return side | uint8(-1-exp)<<3 | uint8(15-m)
}

func thetaOf(code uint8) float32 {
	x := float32(15-code&7) / 32 / float32(int(1)<<(code>>3&15))
	if code&nearOne != 0 {
		return 1 - x
	}
	return x
}

// far reports whether two codes differ by more than rounding.
func far(a, b uint8) bool { return max(a, b)-min(a, b) > 1 }

// A byte encodes a count of at least 1: two bits of mantissa below the exponent.
const maxCountCode = 15<<2 | 3

func countCode(n float32) uint8 {
	if !(n > 1) {
		n = 1
	}
	f, exp := math.Frexp(float64(min(n, 1<<16)))
	m := int(math.Round(f * 8))
	if m == 8 {
		m, exp = 4, exp+1
	}
	return uint8(min((exp-1)<<2|(m-4), maxCountCode))
}

func countOf(code uint8) float32 { return float32(float32(4+code&3) / 4 * float32(int(1)<<(code>>2))) }
