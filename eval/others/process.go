package others

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// MostBuild is how long a build may take by the clock.
const MostBuild = 20 * time.Minute

// mostOutput is how much of the output of a process is read, in bytes.
const mostOutput = 64 << 20

// Environment is the one of all commands.
func Environment(more ...string) []string {
	return append(append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod -buildvcs=false"), more...)
}

// Output returns what a command prints to its standard output.
func Output(ctx context.Context, dir, name string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = dir, Environment()
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return out, fmt.Errorf("%s: %w\n%s", cmd, err, exit.Stderr)
	}
	return out, err
}

// WithLimits returns a command whose processes have so much CPU time each, and so much memory in
// bytes. 0 is no limit.
func WithLimits(cpu time.Duration, memory int64, command ...string) *exec.Cmd {
	limits := ""
	if cpu > 0 {
		limits += fmt.Sprintf("ulimit -t %d; ", int(cpu.Seconds())+1)
	}
	if memory > 0 {
		limits += fmt.Sprintf("ulimit -v %d; ", memory>>10)
	}
	return exec.Command("sh", append([]string{"-c", limits + `exec "$@"`, "sh"}, command...)...)
}

// A Process is one that has ended.
type Process struct {
	Out  []byte        // also its errors
	CPU  time.Duration // also of the processes that it has waited for
	Err  error
	Late bool // it was ended, since it did nothing, or after the time that it had
}

// Tail returns the end of the output, in one line.
func (p Process) Tail() string {
	text := strings.Join(strings.Fields(string(p.Out)), " ")
	return text[max(0, len(text)-300):]
}

// launch starts a command whose output goes to a file. The function that it returns reads and
// removes that file.
func launch(cmd *exec.Cmd, attr *syscall.SysProcAttr) (output func() []byte, err error) {
	file, err := os.CreateTemp("", "output-*")
	if err != nil {
		return nil, err
	}
	attr.Pdeathsig = syscall.SIGKILL
	cmd.Stdout, cmd.Stderr, cmd.SysProcAttr = file, file, attr
	output = func() []byte {
		defer os.Remove(file.Name())
		defer file.Close()
		text, _ := io.ReadAll(io.NewSectionReader(file, 0, mostOutput))
		return text
	}
	running.Lock()
	defer running.Unlock()
	if err := cmd.Start(); err != nil {
		output()
		return nil, err
	}
	running.ids[strconv.Itoa(cmd.Process.Pid)] = true
	return output, nil
}

// running has the numbers of the commands that have been launched and have not been waited for.
var running = struct {
	sync.Mutex
	ids map[string]bool
}{ids: map[string]bool{}}

// wait waits for a command that has been launched.
func wait(cmd *exec.Cmd) error {
	err := cmd.Wait()
	running.Lock()
	defer running.Unlock()
	delete(running.ids, strconv.Itoa(cmd.Process.Pid))
	return err
}

// Start runs a command until it ends, or until so much time has passed by the clock, in all or
// without CPU time. No process remains.
func Start(ctx context.Context, most, idle time.Duration, cmd *exec.Cmd) Process {
	output, err := launch(cmd, &syscall.SysProcAttr{Setpgid: true})
	if err != nil {
		return Process{Err: err}
	}
	kill := func() { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	watched, unwatch := context.WithTimeout(ctx, most)
	var late atomic.Bool
	watching := make(chan bool)
	go func() {
		defer close(watching)
		late.Store(watch(watched, cmd.Process.Pid, idle))
		kill()
	}()
	err = wait(cmd)
	unwatch()
	<-watching
	orphans()
	return Process{Err: err, Late: late.Load(), Out: output(),
		CPU: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()}
}

// Spend runs a command until it ends, or until its processes have used so much CPU time together,
// or until so much time has passed by the clock, or until watch, unless nil, returns true for the
// CPU time so far. Then it is interrupted. No process remains.
func Spend(
	ctx context.Context, limit, most time.Duration, cmd *exec.Cmd, watch func(time.Duration) bool,
) Process {
	output, err := launch(cmd, &syscall.SysProcAttr{Setsid: true})
	if err != nil {
		return Process{Err: err}
	}
	session, ended := cmd.Process.Pid, make(chan error, 1)
	go func() { ended <- wait(cmd) }()
	p, begun := Process{}, time.Now()
	var interrupted time.Time
	for running := true; running; {
		p.CPU = max(p.CPU, spent(session))
		switch over := p.CPU >= limit || time.Since(begun) > most || ctx.Err() != nil ||
			watch != nil && watch(p.CPU); {
		case over && interrupted.IsZero():
			interrupted = time.Now()
			syscall.Kill(-session, syscall.SIGINT)
		case over && time.Since(interrupted) > grace:
			killSession(session)
		}
		select {
		case p.Err = <-ended:
			running = false
		case <-time.After(300 * time.Millisecond):
		}
	}
	killSession(session)
	orphans()
	p.CPU = max(p.CPU, cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime())
	p.Out = output()
	return p
}

// grace is how long a command has to end once it is interrupted.
const grace = 30 * time.Second

// tick is the unit in which the system tells CPU times.
const tick = 10 * time.Millisecond

// spent returns the CPU time of the processes of a session, and of those that they have waited for.
func spent(session int) (sum time.Duration) {
	processes(func(_ int, stat []string) {
		if stat[3] == strconv.Itoa(session) {
			for _, ticks := range stat[11:15] {
				n, _ := strconv.Atoi(ticks)
				sum += time.Duration(n) * tick
			}
		}
	})
	return sum
}

// killSession kills the processes of a session.
func killSession(session int) {
	processes(func(pid int, stat []string) {
		if stat[3] == strconv.Itoa(session) {
			syscall.Kill(pid, syscall.SIGKILL)
		}
	})
}

// watch returns when the context ends, or when the processes of a group have had no CPU time for so
// long. It reports whether it was too late for them.
func watch(ctx context.Context, group int, idle time.Duration) bool {
	last, since := "", time.Now()
	for {
		select {
		case <-ctx.Done():
			return errors.Is(ctx.Err(), context.DeadlineExceeded)
		case <-time.After(time.Second):
		}
		if now := ticks(group); now != last {
			last, since = now, time.Now()
		} else if time.Since(since) > idle {
			return true
		}
	}
}

// processes calls f with the number of each process and what the system says of it: its state, its
// parent, its group, its session, and so on.
func processes(f func(pid int, stat []string)) {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, stat := range stats {
		text, _ := os.ReadFile(stat)
		_, rest, _ := strings.Cut(string(text), ") ")
		if fields := strings.Fields(rest); len(fields) > 15 {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(stat)))
			f(pid, fields)
		}
	}
}

// ticks returns the CPU times of the processes of a group, as texts.
func ticks(group int) (all string) {
	processes(func(_ int, stat []string) {
		if stat[2] == strconv.Itoa(group) {
			all += stat[11] + " " + stat[12] + " "
		}
	})
	return all
}

// adopt makes this process the parent of all processes that those which it starts leave behind.
func adopt() {
	const subreaper = 36 // PR_SET_CHILD_SUBREAPER
	syscall.RawSyscall(syscall.SYS_PRCTL, subreaper, 1, 0)
}

// orphans kills the processes that have been left by commands that have ended. Commands that are
// running are known by the number of a process, its group or its session.
func orphans() {
	running.Lock()
	defer running.Unlock()
	self := strconv.Itoa(os.Getpid())
	for range 10 {
		found := false
		processes(func(pid int, stat []string) {
			if stat[1] == self && !running.ids[strconv.Itoa(pid)] &&
				!running.ids[stat[2]] && !running.ids[stat[3]] {
				found = true
				syscall.Kill(pid, syscall.SIGKILL)
				syscall.Wait4(pid, nil, 0, nil)
			}
		})
		if !found {
			return
		}
	}
}
