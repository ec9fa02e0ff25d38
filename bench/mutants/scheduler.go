package mutants

import (
	"cmp"
	"slices"

	"pgregory.net/rapid"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
)

var schedulers = New(Spec[[]event]{
	Name: "scheduler",
	Bugs: []string{
		"spawn: at the head", "spawn: greatest priority is the second", "spawn: sixth is lost", "spawn: number of the killed is used again",
		"run: least priority first", "run: stays at the head", "run: no ticks stay at the head", "run: goes to the queue below",
		"run: work has five bits", "run: idle time stands still", "run: queue of three swaps",
		"block: the head instead", "block: those behind, too", "wake: at the head", "wake: priority is lost",
		"sleep: one tick too long", "sleep: no ticks never end", "sleep: equal times wake in the wrong order", "sleep: third sleeper is lost",
		"sleep: wakes in the order of falling asleep", "sleep: at the head",
		"kill: sleeper wakes", "kill: last one leaves its queue marked", "kill: work is lost",
		"prioritize: stays in the old queue", "prioritize: same goes to the end", "prioritize: blocked wakes", "prioritize: sleeper keeps the old one", "prioritize: at the head",
	},
	Valid: func(events []event) bool {
		var m model
		for _, e := range events {
			if !m.allows(e) {
				return false
			}
			m.do(e)
		}
		return true
	},
	Fails: func(bug string, events []event) bool {
		m, s := model{}, scheduler{bug: bug}
		for _, e := range events {
			if m.do(e) != s.do(e) {
				return true
			}
		}
		work := 0
		for _, t := range m.tasks {
			work += t.work
		}
		return s.work() != work || s.clock != m.clock
	},
	Built: bigen.Steps(func(*bigen.C, []event) (bigen.Machine[event], []event) { return newEvents(), nil }, 10, 100),
	Naive: bigen.SliceOf(genAnyEvent(), 0, 100),
	RapidBuilt: func(t *rapid.T) (events []event) {
		var m model
		for range rapid.IntRange(0, 20).Draw(t, "events") {
			e := event{Do: rapid.SampledFrom(m.deeds()).Draw(t, "do")}
			if of := m.tasksFor(e.Do); len(of) > 0 {
				e.Task = rapid.SampledFrom(of).Draw(t, "task")
			}
			if last := lastN(e.Do); last > 0 {
				e.N = rapid.IntRange(0, last).Draw(t, "n")
			}
			m.do(e)
			events = append(events, e)
		}
		return events
	},
	RapidNaive: func(t *rapid.T) []event {
		return rapid.SliceOf(rapid.Custom(func(t *rapid.T) event {
			return event{rapid.SampledFrom(deeds).Draw(t, "do"), rapid.IntRange(0, lastTask).Draw(t, "task"), rapid.IntRange(0, lastTick).Draw(t, "n")}
		})).Draw(t, "events")
	},
})

const (
	lastTask   = 9
	lastTick   = 9
	mostUrgent = 3
)

// An event is what happens to a scheduler.
type event struct {
	Do      string
	Task, N int // N is a priority, or ticks
}

var deeds = []string{"spawn", "run", "block", "wake", "sleep", "kill", "prioritize"}

func lastN(do string) int {
	switch do {
	case "spawn", "prioritize":
		return mostUrgent
	case "run", "sleep":
		return lastTick
	}
	return 0
}

func genAnyEvent() bigen.Gen[event] {
	do := bigen.OneOf(deeds...)
	return bigen.Struct(func(c *bigen.C, e *event) {
		bigen.At(c, &e.Do, do)
		bigen.At(c, &e.Task, bigen.IntRange(0, lastTask))
		bigen.At(c, &e.N, bigen.IntRange(0, lastTick))
	})
}

// A model is a scheduler without queues: the reference.
type model struct {
	tasks        []task
	clock, turns int
}

type task struct {
	state              string // of "ready", "blocked", "asleep" and "dead"
	priority           int
	turn, wakeAt, work int
}

// do returns the task that runs, or -1.
func (m *model) do(e event) int {
	var t *task
	if e.Do != "spawn" && e.Do != "run" {
		t = &m.tasks[e.Task]
	}
	switch e.Do {
	case "spawn":
		m.tasks = append(m.tasks, task{priority: e.N})
		m.ready(&m.tasks[len(m.tasks)-1])
	case "run":
		return m.run(e.N)
	case "block":
		t.state = "blocked"
	case "wake":
		m.ready(t)
	case "sleep":
		t.state, t.wakeAt = "asleep", m.clock+e.N
	case "kill":
		t.state = "dead"
	case "prioritize":
		if t.priority != e.N {
			t.priority, m.turns = e.N, m.turns+1
			t.turn = m.turns
		}
	}
	return -1
}

// ready puts a task behind all others.
func (m *model) ready(t *task) {
	m.turns++
	t.state, t.turn = "ready", m.turns
}

func (m *model) run(ticks int) int {
	best := -1
	for i, t := range m.tasks {
		if t.state == "ready" && (best < 0 || cmp.Or(cmp.Compare(m.tasks[best].priority, t.priority), cmp.Compare(t.turn, m.tasks[best].turn)) < 0) {
			best = i
		}
	}
	if best >= 0 {
		m.tasks[best].work += ticks
		m.ready(&m.tasks[best])
	}
	m.clock += ticks
	var woken []*task
	for i := range m.tasks {
		if t := &m.tasks[i]; t.state == "asleep" && t.wakeAt <= m.clock {
			woken = append(woken, t)
		}
	}
	slices.SortStableFunc(woken, func(a, b *task) int { return cmp.Compare(a.wakeAt, b.wakeAt) })
	for _, t := range woken {
		m.ready(t)
	}
	return best
}

// tasksFor returns the tasks to which something may happen.
func (m *model) tasksFor(do string) (of []int) {
	for i, t := range m.tasks {
		ok := false
		switch do {
		case "block", "sleep":
			ok = t.state == "ready"
		case "wake":
			ok = t.state == "blocked"
		case "kill", "prioritize":
			ok = t.state != "dead"
		}
		if ok {
			of = append(of, i)
		}
	}
	return of
}

// can reports whether something may happen to a task at all.
func (m *model) can(do string) bool {
	switch do {
	case "spawn":
		return len(m.tasks) <= lastTask
	case "run":
		return true
	}
	return len(m.tasksFor(do)) > 0
}

func (m *model) deeds() (can []string) {
	for _, do := range deeds {
		if m.can(do) {
			can = append(can, do)
		}
	}
	return can
}

func (m *model) allows(e event) bool {
	if !m.can(e.Do) || e.N < 0 || lastN(e.Do) > 0 && e.N > lastN(e.Do) {
		return false
	}
	return e.Do == "spawn" || e.Do == "run" || slices.Contains(m.tasksFor(e.Do), e.Task)
}

// events is the [bigen.Machine] of what may happen.
type events struct {
	model
	alts []choices.Alt
}

func newEvents() *events {
	m := &events{}
	for _, do := range deeds {
		m.alts = append(m.alts, choices.MakeAlt(do, 0))
	}
	return m
}

func (m *events) Offer() []choices.Alt {
	for i := range m.alts {
		m.alts[i].Weight = 0
		if m.Allows(i) {
			m.alts[i].Weight = 1
		}
	}
	return m.alts
}

func (m *events) Allows(n int) bool { return m.can(deeds[n]) }

func (m *events) Find(c *bigen.C, e *event) int {
	n := slices.Index(deeds, e.Do)
	if n < 0 || !m.Allows(n) {
		c.Refuse("%s cannot happen", e.Do)
	}
	return n
}

func (m *events) Step(c *bigen.C, n int, e *event) {
	if !c.Backward() {
		e.Do = deeds[n]
	}
	if of := m.tasksFor(e.Do); len(of) > 0 {
		bigen.Part(c, "task", &e.Task, bigen.OneOf(of...))
	}
	if last := lastN(e.Do); last > 0 {
		bigen.Part(c, "n", &e.N, bigen.IntRange(0, last))
	}
	m.do(*e)
}
