package schedule

import "github.com/espalier-go/espalier/choices"

// A Learner makes schedules whose delays are at operations that may matter: operations at which
// goroutines used the same things in earlier runs. It is a [choices.Prior] of the values of [With].
type Learner struct {
	// Values says that cases have values. Which operations matter depends on the value. So the
	// learner makes several cases of a value, with delays at the operations that matter in the
	// first.
	Values bool

	runs   int
	failed bool           // one of them
	timed  bool           // time has passed in one of them
	points [][]int        // for each goroutine: where a delay may matter
	ids    []int          // the goroutines that have such points
	known  map[Delay]bool // these points

	open    int   // picks
	made    bool  // the schedule
	chance  bool  // decides the schedule
	delays  bool  // there is one
	delay   Delay // the last
	repeats bool  // the next one is the last one again
	ints    int   // how many of its integers have been made
	answers []any // the answers that made the value
	next    int   // the index of the next one, if the value is made again
	again   int   // how often it will be
	begun   bool  // a case has been made but has not run
	first   bool  // the case that runs is the first of its value
}

// sameValue is how many more cases of a value a Learner makes.
const sameValue = 7

// Next reports whether the next run should record what goroutines touch, and whether it should
// verify that it knows all goroutines. Both take time. Once a run has failed, all runs are
// verified.
func (l *Learner) Next() (records, verifies bool) {
	l.runs++
	l.first, l.begun = l.begun && l.chance, false
	records = l.runs <= 32 || l.runs%8 == 0
	if l.Values {
		records = l.first
	}
	return records, l.failed || l.runs <= 64 || l.runs%16 == 0
}

// mostKnown is how many points a Learner keeps.
const mostKnown = 1 << 14

// Learn learns from a run whether it has failed, whether goroutines have waited for time to pass,
// and what it has recorded: for each goroutine, the points at which it used what others used.
func (l *Learner) Learn(shared [][]int, failed, timed bool) {
	l.failed, l.timed = l.failed || failed, l.timed || timed
	if l.Values {
		if !l.first {
			return
		}
		l.points, l.ids, l.known, l.again = nil, nil, nil, sameValue
	}
	if l.known == nil {
		l.known = map[Delay]bool{}
	}
	for g, points := range shared {
		for _, p := range points {
			l.learnPoint(g, p)
		}
	}
}

// learnPoint adds a point of a goroutine, unless it is known or there is no room.
func (l *Learner) learnPoint(g, p int) {
	d := Delay{g, p}
	if l.known[d] || len(l.known) == mostKnown || g > mostGoroutines || p > mostPoints {
		return
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

// Begin implements [choices.Prior].
func (l *Learner) Begin() {
	l.open, l.next, l.made, l.delays, l.begun = 0, 0, false, false, true
	if l.chance = len(l.ids) == 0 || l.Values && l.again == 0; l.chance {
		l.answers = l.answers[:0]
	}
	l.again = max(0, l.again-1)
}

// answer returns the answer with which the value was made before.
func answer[A any](l *Learner) (a A, ok bool) {
	if !l.made || l.chance || l.next >= len(l.answers) {
		return a, false
	}
	a, ok = l.answers[l.next].(A)
	return a, ok
}

// answered records an answer with which the value is made.
func (l *Learner) answered(a any) {
	switch {
	case !l.made || !l.Values:
	case l.chance:
		l.answers = append(l.answers, a)
	default:
		l.next++
	}
}

// Pick implements [choices.Prior].
func (l *Learner) Pick(q *choices.Question, word uint64) int {
	n, known := answer[int](l)
	switch {
	case known:
		return n
	case l.made || l.chance:
		return q.DrawPick(word)
	case l.open == 0: // how large the numbers are
		return len(q.Alts) - 1
	case word%8 < 4 || l.Values && !l.delays: // another delay
		return len(q.Alts) - 1
	}
	return 0
}

// Int implements [choices.Prior].
func (l *Learner) Int(q *choices.Question, word uint64) int64 {
	n, known := answer[int64](l)
	switch {
	case known:
		return n
	case l.made || l.chance || word%32 == 0:
		return q.DrawInt(word)
	case l.ints == 0:
		if l.repeats = l.timed && l.delays && word>>5%4 == 0; l.repeats {
			return int64(l.delay.Goroutine)
		}
		return int64(l.ids[word>>8%uint64(len(l.ids))])
	case l.repeats:
		return int64(l.delay.Point)
	case l.delay.Goroutine < len(l.points) && len(l.points[l.delay.Goroutine]) > 0:
		points := l.points[l.delay.Goroutine]
		return int64(points[word>>8%uint64(len(points))])
	}
	return q.DrawInt(word)
}

// Text implements [choices.Prior].
func (l *Learner) Text(q *choices.Question, word uint64) string {
	if text, known := answer[string](l); known {
		return text
	}
	return q.DrawText(word)
}

// Picked implements [choices.Prior].
func (l *Learner) Picked(_ *choices.Question, n int) {
	l.answered(n)
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
	l.answered(n)
	switch l.ints++; {
	case l.made:
	case l.ints == 1:
		l.delay.Goroutine, l.delays = int(n), true
	case l.ints == 2:
		l.delay.Point = int(n)
	}
}

// TextGiven implements [choices.Prior].
func (l *Learner) TextGiven(_ *choices.Question, text string) { l.answered(text) }
