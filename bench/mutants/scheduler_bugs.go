package mutants

import (
	"cmp"
	"slices"
)

// A scheduler has a queue of tasks for each priority.
type scheduler struct {
	bug      string
	tasks    []job
	queues   [4][]int
	marked   [4]bool // queues with tasks
	sleepers []int   // by the time at which they wake
	clock    int
	lost     int // work of those whose number is used again
}

type job struct {
	state    string
	priority int
	wakeAt   int
	work     int
}

func (s *scheduler) work() (sum int) {
	for _, t := range s.tasks {
		sum += t.work
	}
	return sum + s.lost
}

func (s *scheduler) do(e event) int {
	var t *job
	if e.Do != "spawn" && e.Do != "run" {
		t = &s.tasks[e.Task]
	}
	switch e.Do {
	case "spawn":
		s.spawn(e.N)
	case "run":
		return s.run(e.N)
	case "block":
		switch queue := s.queues[t.priority]; {
		case s.bug == "block: the head instead":
			s.leave(queue[0])
		case s.bug == "block: those behind, too" && len(queue) > 2:
			for _, id := range slices.Clone(queue[slices.Index(queue, e.Task):]) {
				s.leave(id)
			}
		default:
			s.leave(e.Task)
		}
		t.state = "blocked"
	case "wake":
		if s.bug == "wake: priority is lost" {
			t.priority = 0
		}
		s.ready(e.Task, s.bug == "wake: at the head")
	case "sleep":
		s.sleep(e.Task, e.N)
	case "kill":
		s.kill(e.Task)
	case "prioritize":
		s.prioritize(e.Task, e.N)
	}
	return -1
}

func (s *scheduler) spawn(priority int) {
	if s.bug == "spawn: greatest priority is the second" {
		priority = min(2, priority)
	}
	id := len(s.tasks)
	if s.bug == "spawn: number of the killed is used again" && id > 0 && s.tasks[id-1].state == "dead" {
		id--
		s.lost += s.tasks[id].work
		s.tasks = s.tasks[:id]
	}
	s.tasks = append(s.tasks, job{priority: priority})
	if id < 5 || s.bug != "spawn: sixth is lost" {
		s.ready(id, s.bug == "spawn: at the head")
	}
}

// ready puts a task into the queue of its priority.
func (s *scheduler) ready(id int, head bool) {
	t := &s.tasks[id]
	t.state = "ready"
	queue := &s.queues[t.priority]
	s.marked[t.priority] = true
	if head {
		*queue = slices.Insert(*queue, 0, id)
	} else {
		*queue = append(*queue, id)
	}
}

// leave takes a task out of its queue.
func (s *scheduler) leave(id int) {
	priority := s.tasks[id].priority
	queue := slices.DeleteFunc(s.queues[priority], func(x int) bool { return x == id })
	s.queues[priority], s.marked[priority] = queue, len(queue) > 0
}

func (s *scheduler) run(ticks int) int {
	id := -1
	for priority, marked := range s.marked {
		if marked && (s.bug != "run: least priority first" || id < 0) {
			id = s.queues[priority][0]
		}
	}
	if id >= 0 {
		t := &s.tasks[id]
		if t.work += ticks; s.bug == "run: work has five bits" {
			t.work &= 31
		}
		if s.bug != "run: stays at the head" && (ticks > 0 || s.bug != "run: no ticks stay at the head") {
			s.leave(id)
			if s.bug == "run: goes to the queue below" {
				t.priority = max(0, t.priority-1)
			}
			s.ready(id, false)
		}
		if queue := s.queues[t.priority]; len(queue) == 3 && s.bug == "run: queue of three swaps" {
			queue[0], queue[1] = queue[1], queue[0]
		}
	}
	if id >= 0 || s.bug != "run: idle time stands still" {
		s.clock += ticks
	}
	now := s.clock
	if s.bug == "sleep: one tick too long" {
		now--
	}
	for len(s.sleepers) > 0 && s.tasks[s.sleepers[0]].wakeAt <= now {
		s.ready(s.sleepers[0], s.bug == "sleep: at the head")
		s.sleepers = s.sleepers[1:]
	}
	return id
}

func (s *scheduler) sleep(id, ticks int) {
	t := &s.tasks[id]
	s.leave(id)
	t.state, t.wakeAt = "asleep", s.clock+ticks
	if s.bug == "sleep: no ticks never end" && ticks == 0 || s.bug == "sleep: third sleeper is lost" && len(s.sleepers) == 2 {
		return
	}
	at, _ := slices.BinarySearchFunc(s.sleepers, id, func(a, b int) int {
		order := cmp.Compare(a, b)
		if s.bug == "sleep: equal times wake in the wrong order" {
			order = -order
		}
		return cmp.Or(cmp.Compare(s.tasks[a].wakeAt, s.tasks[b].wakeAt), order)
	})
	if s.bug == "sleep: wakes in the order of falling asleep" {
		at = len(s.sleepers)
	}
	s.sleepers = slices.Insert(s.sleepers, at, id)
}

func (s *scheduler) kill(id int) {
	t := &s.tasks[id]
	switch t.state {
	case "ready":
		if s.leave(id); s.bug == "kill: last one leaves its queue marked" {
			s.marked[t.priority] = true
		}
	case "asleep":
		if s.bug != "kill: sleeper wakes" {
			s.sleepers = slices.DeleteFunc(s.sleepers, func(x int) bool { return x == id })
		}
	}
	if t.state = "dead"; s.bug == "kill: work is lost" {
		t.work = 0
	}
}

func (s *scheduler) prioritize(id, priority int) {
	t := &s.tasks[id]
	switch {
	case t.priority == priority && s.bug != "prioritize: same goes to the end":
	case t.state == "ready":
		if s.bug == "prioritize: stays in the old queue" {
			return
		}
		s.leave(id)
		t.priority = priority
		s.ready(id, s.bug == "prioritize: at the head")
	case t.state == "blocked" && s.bug == "prioritize: blocked wakes":
		t.priority = priority
		s.ready(id, false)
	case t.state != "asleep" || s.bug != "prioritize: sleeper keeps the old one":
		t.priority = priority
	}
}
