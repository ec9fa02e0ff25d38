package point

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"
)

// A goroutine that waits in code without points, for a lock or for what is outside of the process,
// keeps its turn, and the bubble does not become idle: no other goroutine gets a turn from the run,
// and no time passes. Each second of real time, look finds out whether that has happened. If there
// is a goroutine that can run, look gives it the turn. From then on, it looks more often. Otherwise
// it says where the goroutine waits.

// StallFile is the environment variable that names a file for what look finds. Without it, that is
// printed.
const StallFile = "ESPALIER_STALLS"

// stalls is what is known about goroutines that keep their turns.
var stalls = struct {
	mu     sync.Mutex
	timer  *time.Timer
	turn   turn            // at the last look
	since  time.Time       // the first look at that turn
	looked int             // how often its stacks have been read
	often  bool            // a turn has been given
	said   map[string]bool // what has been said
}{said: map[string]bool{}}

// A turn is a turn of a run.
type turn struct {
	run    *run
	number int64
}

const (
	lookEvery = 900 * time.Millisecond
	lookOften = time.Millisecond / 4
	mostLooks = 30 // at one turn
	// outsideFor is how long a goroutine may wait for what is outside of the process, or of the
	// bubble, until others get the turn.
	outsideFor = 50 * time.Millisecond
)

// watch has look called, outside of bubbles.
func watch() {
	stalls.mu.Lock()
	defer stalls.mu.Unlock()
	if stalls.timer == nil {
		stalls.timer = time.AfterFunc(lookEvery, func() {
			stalls.mu.Lock()
			defer stalls.mu.Unlock()
			stalls.timer.Reset(look())
		})
	}
}

// look returns how long to wait for the next look.
func look() time.Duration {
	every := lookEvery
	if stalls.often {
		every = lookOften
	}
	now := turn{run: active.Load()}
	if now.run != nil {
		now.number = now.run.turns.Load()
	}
	if now != stalls.turn {
		stalls.turn, stalls.since, stalls.looked = now, time.Now(), 0
		return every
	}
	if now.run == nil || stalls.looked == mostLooks {
		return every
	}
	stalls.looked++
	stacks, helped := now.run.help(now.number, time.Since(stalls.since) >= outsideFor)
	for _, stack := range stacks {
		f := describe(stack)
		if !helped && time.Since(stalls.since) < lookEvery/2 {
			break // it may be over in a moment
		}
		if f.where == "" {
			continue
		}
		text := f.where + ", and keeps all others waiting: " + f.advice
		if helped && !f.lacks {
			continue
		} else if helped {
			text = f.where + ", and others wait for milliseconds until they can run: " + f.advice
		}
		if !stalls.said[text] {
			stalls.said[text] = true
			say(text)
		}
	}
	if helped {
		stalls.often = true
		stalls.turn.number = now.run.turns.Load()
		stalls.since, stalls.looked = time.Now(), 0
		return lookOften
	}
	return min(every<<min(stalls.looked, 20), lookEvery)
}

// help returns the stacks of goroutines that keep a turn although they wait. If all goroutines
// wait, and one can run, it gets the turn.
//
//go:norace
func (r *run) help(turn int64, long bool) (keepers []string, helped bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.bubble == nil {
		keepers, _ = waiting(long)
		return keepers, false
	}
	h := helper{run: r, turn: turn, long: long}
	inBubble(r.bubble, h.help)
	return h.keepers, h.helped
}

// A helper gives a turn.
type helper struct {
	run     *run
	turn    int64
	long    bool // it has been the turn for long
	keepers []string
	helped  bool
}

// help is called within the bubble of a run, whose lock is held.
//
//go:norace
func (h *helper) help() {
	r := h.run
	bubble := acquire() // no goroutine wakes up because the others wait
	defer release(bubble)
	all := false
	if h.keepers, all = waiting(h.long); !all || active.Load() != r || r.turns.Load() != h.turn {
		return
	}
	keeper := r.current
	if keeper == nil {
		return
	}
	g := r.choose()
	for _, other := range r.all {
		if g == nil && other.state == late { // no time passes
			other.state = ready
			g = r.choose()
		}
	}
	if g == nil {
		r.current = keeper
		return
	}
	if keeper.state == running {
		keeper.state = outside
		r.outside.Add(1)
	}
	r.turns.Add(1)
	h.helped = true
	hide()
	g.wake <- struct{}{}
	show()
}

// waiting returns the stacks of goroutines in bubbles that keep turns although they wait, and
// whether all goroutines in bubbles wait. It is called while the race detector sees nothing.
func waiting(long bool) (keepers []string, all bool) {
	b := make([]byte, 1<<20)
	all = true
	for i, stack := range strings.Split(string(b[:runtime.Stack(b, true)]), "\n\n") {
		if i == 0 {
			continue // the caller
		}
		keeps, waits := stalled(stack, long)
		all = all && waits
		if keeps {
			keepers = append(keepers, stack)
		}
	}
	return keepers, all && len(keepers) > 0
}

// say writes a line to the file that StallFile names, or prints it.
func say(text string) {
	out := os.Stderr
	if name := os.Getenv(StallFile); name != "" {
		if f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666); err == nil {
			defer f.Close()
			out = f
		}
	}
	fmt.Fprintln(out, text)
}

// stalled reports whether a goroutine keeps its turn although it waits, given its stack, and
// whether it waits, or is in no bubble. A wait for what is outside of the process, or of the
// bubble, counts if it is long.
func stalled(stack string, long bool) (keeps, waiting bool) {
	header, rest, _ := strings.Cut(stack, "\n")
	_, state, _ := strings.Cut(header, "[")
	state, bubble, _ := strings.Cut(state, ", ")
	switch {
	case !strings.Contains(bubble, "synctest bubble") || strings.Contains(state, "(durable)") ||
		strings.HasPrefix(state, "synctest."):
		return false, true
	case !waits(state) || !long && !strings.HasPrefix(state, "sync.") ||
		strings.Contains(rest, pointPath+".(*hiddenMutex)"): // for a moment
		return false, false
	}
	return true, true
}

// A stall is where a goroutine keeps its turn although it waits.
type stall struct {
	where, advice string
	lacks         bool // the package that waits has no points, and could have
}

// describe says where a goroutine waits, given its stack, if it is in code of a module.
func describe(stack string) (s stall) {
	operation := ""
	lines := strings.Split(stack, "\n")
	for i := 1; i+1 < len(lines); i += 2 {
		function := lines[i]
		if end := strings.LastIndexByte(function, '('); end > 0 {
			function = function[:end]
		}
		path, domain := packageOf(function)
		switch {
		case strings.HasPrefix(function, "created by "):
			return s
		case path == pointPath && operation == "":
			operation = function[strings.LastIndexByte(function, '/')+1:]
			continue
		case path == pointPath:
			continue
		case !domain:
			operation = function
			continue
		}
		at, _, _ := strings.Cut(strings.TrimSpace(lines[i+1]), " +0x")
		name := function[strings.LastIndexByte(function, '/')+1:]
		s.where = fmt.Sprintf("a goroutine waits in %s, called by %s at %s", operation, name,
			filepath.Base(at))
		s.advice = "code without points has what it waits for"
		if _, ok := withPoints.Load(path); !ok {
			s.lacks = true
			s.advice = fmt.Sprintf("package %s has no points: add -instrument '%s/...'", path, path)
		}
		return s
	}
	return s
}

// waits reports whether a goroutine in a state waits for something.
func waits(state string) bool {
	for _, prefix := range []string{"sync.", "semacquire", "chan ", "select", "IO wait", "syscall"} {
		if strings.HasPrefix(state, prefix) {
			return true
		}
	}
	return false
}

const pointPath = "github.com/espalier-go/espalier/bigen/schedule/point"

// withPoints has the paths of packages with points.
var withPoints sync.Map
