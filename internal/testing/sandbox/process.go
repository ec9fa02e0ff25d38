//go:build unix

package sandbox

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// A Process is a running process of a sandbox.
type Process struct {
	PID  int
	Args []string
	CPU  time.Duration // of the process and of the children that it has waited for
}

// Fuzzes reports whether the process runs a test binary that fuzzes, as the coordinator or
// as a worker.
func (p Process) Fuzzes() bool {
	for _, arg := range p.Args[min(1, len(p.Args)):] {
		if strings.HasPrefix(arg, "-test.fuzz") {
			return true
		}
	}
	return false
}

// Processes returns the running processes that commands of the sandbox have started,
// directly or indirectly. A process may have left its parent or its group. Processes needs
// the /proc of Linux.
func (s *Sandbox) Processes() (all []Process, err error) {
	dirs, err := filepath.Glob("/proc/[0-9]*")
	if err != nil || len(dirs) == 0 {
		return nil, errors.New("cannot list processes: there is no /proc as on Linux")
	}
	for _, dir := range dirs {
		env, err := os.ReadFile(filepath.Join(dir, "environ"))
		if err != nil || !contains(env, s.mark) {
			continue // a process of another sandbox or user, or it has ended
		}
		stat, err := os.ReadFile(filepath.Join(dir, "stat"))
		if err != nil {
			continue
		}
		args, _ := os.ReadFile(filepath.Join(dir, "cmdline"))
		p := Process{Args: strings.Split(string(bytes.TrimSuffix(args, []byte{0})), "\x00")}
		if p.PID, err = strconv.Atoi(filepath.Base(dir)); err != nil {
			continue
		}
		// fields 3 and following of proc(5)
		fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
		if len(fields) < 15 {
			continue
		}
		const ticks = 100                 // per second, on every Linux
		for _, f := range fields[11:15] { // utime, stime, cutime, cstime
			n, _ := strconv.Atoi(f)
			p.CPU += time.Duration(n) * time.Second / ticks
		}
		all = append(all, p)
	}
	return all, nil
}

func contains(environ []byte, entry string) bool {
	for _, e := range bytes.Split(environ, []byte{0}) {
		if string(e) == entry {
			return true
		}
	}
	return false
}

// Kill kills all processes and returns when none is left.
func (s *Sandbox) Kill() error {
	for range 1000 {
		all, err := s.Processes()
		if err != nil || len(all) == 0 {
			return err
		}
		for _, p := range all {
			syscall.Kill(p.PID, syscall.SIGKILL)
		}
		time.Sleep(10 * time.Millisecond)
	}
	return errors.New("processes survive their killing")
}

// Wait waits at most limit for all processes to end, and returns those that have not.
func (s *Sandbox) Wait(limit time.Duration) ([]Process, error) {
	for end := time.Now().Add(limit); ; time.Sleep(10 * time.Millisecond) {
		all, err := s.Processes()
		if err != nil || len(all) == 0 || time.Now().After(end) {
			return all, err
		}
	}
}
