package schedule

import "github.com/espalier-go/espalier/choices"

// A Learner makes schedules whose delays are at operations that may matter: those at which goroutines
// used the same things, in earlier runs. It is a [choices.Prior] of the values of [With].
type Learner struct {
	runs   int
	failed bool           // one of them
	points [][]int        // by goroutine: where a delay may matter
	ids    []int          // of goroutines that have such points
	known  map[Delay]bool // these points

	open  int   // picks
	made  bool  // the schedule
	delay Delay // the last
	ints  int   // of it that have been made
}

// Next reports whether the next run should record what goroutines touch, and verify that it knows all of
// them. Both take time. Once a run has failed, all are verified.
func (l *Learner) Next() (records, verifies bool) {
	l.runs++
	return l.runs <= 32 || l.runs%8 == 0, l.failed || l.runs <= 64 || l.runs%16 == 0
}

// mostKnown is how many points a Learner keeps.
const mostKnown = 1 << 14

// Learn learns from a run: whether it has failed, and what it has recorded: by goroutine, the points at
// which it used what others used.
func (l *Learner) Learn(shared [][]int, failed bool) {
	l.failed = l.failed || failed
	if l.known == nil {
		l.known = map[Delay]bool{}
	}
	for g, points := range shared {
		for _, p := range points {
			d := Delay{g, p}
			if l.known[d] || len(l.known) == mostKnown || g > mostGoroutines || p > mostPoints {
				continue
			}
			l.known[d] = true
			for len(l.points) <= g {
				l.points = append(l.points, nil)
			}
			if len(l.points[g]) == 0 {
				l.ids = append(l.ids, g)
				l.points[g] = append(l.points[g], 0) // before it begins
			}
			l.points[g] = append(l.points[g], p)
		}
	}
}

// Begin implements [choices.Prior].
func (l *Learner) Begin() { l.open, l.made = 0, len(l.ids) == 0 }

// Pick implements [choices.Prior].
func (l *Learner) Pick(q *choices.Question, word uint64) int {
	switch {
	case l.made:
		return q.DrawPick(word)
	case l.open == 0: // how large the numbers are
		return len(q.Alts) - 1
	case word%8 < 4: // another delay
		return len(q.Alts) - 1
	}
	return 0
}

// Int implements [choices.Prior].
func (l *Learner) Int(q *choices.Question, word uint64) int64 {
	switch {
	case l.made || word%32 == 0:
		return q.DrawInt(word)
	case l.ints == 0:
		return int64(l.ids[word>>8%uint64(len(l.ids))])
	case l.delay.Goroutine < len(l.points) && len(l.points[l.delay.Goroutine]) > 0:
		points := l.points[l.delay.Goroutine]
		return int64(points[word>>8%uint64(len(points))])
	}
	return q.DrawInt(word)
}

// Text implements [choices.Prior].
func (l *Learner) Text(q *choices.Question, word uint64) string { return q.DrawText(word) }

// Picked implements [choices.Prior].
func (l *Learner) Picked(*choices.Question, int) {
	l.open++
	l.ints = 0
}

// Leave implements [choices.Prior].
func (l *Learner) Leave() {
	if l.open--; l.open == 0 {
		l.made = true
	}
}

// IntGiven implements [choices.Prior].
func (l *Learner) IntGiven(_ *choices.Question, n int64) {
	if l.ints++; !l.made && l.ints == 1 {
		l.delay.Goroutine = int(n)
	}
}

// TextGiven implements [choices.Prior].
func (l *Learner) TextGiven(*choices.Question, string) {}
