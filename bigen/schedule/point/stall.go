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
// keeps its turn. So no other goroutine gets one, and no time passes in the bubble. Each second of
// real time, look finds out whether that has happened, and says where.

// StallFile is the environment variable that names a file for what look finds. Without it, that is
// printed.
const StallFile = "ESPALIER_STALLS"

// stalls is what is known about goroutines that keep their turns.
var stalls = struct {
	once   sync.Once
	timer  *time.Timer
	turn   turn            // at the last look
	looked int             // how often its stacks have been read
	said   map[string]bool // what has been said
}{said: map[string]bool{}}

// A turn is a turn of a run.
type turn struct {
	run    *run
	number int64
}

const (
	lookEvery = 900 * time.Millisecond
	mostLooks = 5 // at one turn
)

// watch has look called, outside of bubbles.
func watch() {
	stalls.once.Do(func() {
		stalls.timer = time.AfterFunc(time.Hour, func() {
			look()
			stalls.timer.Reset(lookEvery)
		})
		stalls.timer.Reset(lookEvery) // follows the assignment, for the race detector
	})
}

func look() {
	now := turn{run: active.Load()}
	if now.run != nil {
		now.number = now.run.turns.Load()
	}
	if now != stalls.turn {
		stalls.turn, stalls.looked = now, 0
		return
	}
	if now.run == nil || stalls.looked == mostLooks {
		return
	}
	stalls.looked++
	b := make([]byte, 1<<20)
	for stack := range strings.SplitSeq(string(b[:runtime.Stack(b, true)]), "\n\n") {
		if text := stalled(stack); text != "" && !stalls.said[text] {
			stalls.said[text] = true
			say(text)
		}
	}
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

// stalled says where a goroutine keeps its turn although it waits, given its stack, or "".
func stalled(stack string) string {
	header, rest, _ := strings.Cut(stack, "\n")
	_, state, _ := strings.Cut(header, "[")
	state, bubble, _ := strings.Cut(state, ", ")
	if !strings.Contains(bubble, "synctest bubble") || strings.Contains(state, "(durable)") ||
		!waits(state) {
		return ""
	}
	lines := strings.Split(rest, "\n")
	operation := ""
	for i := 0; i+1 < len(lines); i += 2 {
		function := lines[i]
		if end := strings.LastIndexByte(function, '('); end > 0 {
			function = function[:end]
		}
		path, domain := packageOf(function)
		switch {
		case strings.HasPrefix(function, "created by "):
			return ""
		case path == pointPath:
			return "" // a lock of a run, for a moment
		case !domain:
			operation = function
			continue
		}
		at, _, _ := strings.Cut(strings.TrimSpace(lines[i+1]), " +0x")
		name := function[strings.LastIndexByte(function, '/')+1:]
		text := fmt.Sprintf("a goroutine waits in %s, called by %s at %s, and keeps all others waiting: ",
			operation, name, filepath.Base(at))
		if _, ok := withPoints.Load(path); ok {
			return text + "code without points has what it waits for"
		}
		return text + fmt.Sprintf("package %s has no points: add -instrument '%s/...'", path, path)
	}
	return ""
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
