//go:build unix

package gotest

import (
	"fmt"
	"io"
	"maps"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
)

// A guard is a process that outlives this one, for a moment. When this process ends, even if it is
// killed, the guard ends the process groups that are still running. A test binary is in the group
// of its go command.
type guard struct {
	mu     sync.Mutex
	groups map[int]bool
	input  io.Writer // of the process; or nil if there is none
	tried  bool
}

// guardScript reads lines, each with the groups that run, until its input ends.
const guardScript = `
while read -r line; do groups=$line; done
for g in $groups; do kill -INT -$g; done
[ -z "$groups" ] || sleep 3
for g in $groups; do kill -KILL -$g; done
`

var guarding = guard{groups: map[int]bool{}}

// startGuard starts the guard. A command that begins afterwards is hardly without one: only between
// its beginning and the call of guardGroup.
func startGuard() { guarding.start() }

// guardGroup has the process group of a command end with this process.
func guardGroup(cmd *exec.Cmd) (done func()) {
	group := cmd.Process.Pid
	guarding.set(group, true)
	return func() { guarding.set(group, false) }
}

func (g *guard) start() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.tried {
		return
	}
	g.tried = true
	cmd := exec.Command("/bin/sh", "-c", guardScript)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if input, err := cmd.StdinPipe(); err == nil && cmd.Start() == nil {
		g.input = input
	}
}

func (g *guard) set(group int, runs bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if runs {
		g.groups[group] = true
	} else {
		delete(g.groups, group)
	}
	if g.input != nil {
		line := strings.Trim(fmt.Sprint(slices.Sorted(maps.Keys(g.groups))), "[]")
		_, _ = fmt.Fprintln(g.input, line)
	}
}
