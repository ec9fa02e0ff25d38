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

// A Process is one of a sandbox that has not ended.
type Process struct {
	PID  int
	Args []string
	CPU  time.Duration // its time, with that of the children that it has waited for
}

// Fuzzes reports whether the process is of a test binary that fuzzes: a coordinator or a
// worker.
func (p Process) Fuzzes() bool {
	for _, arg := range p.Args[min(1, len(p.Args)):] {
		if strings.HasPrefix(arg, "-test.fuzz") {
			return true
		}
	}
	return false
}

// Processes returns the processes that commands of the sandbox have started, directly or
// not, whatever their parents and groups have become. It needs the /proc of Linux.
func (s *Sandbox) Processes() (all []Process, err error) {
	dirs, err := filepath.Glob("/proc/[0-9]*")
	if err != nil || len(dirs) == 0 {
		return nil, errors.New("processes are known on Linux only, with a /proc")
	}
	for _, dir := range dirs {
		env, err := os.ReadFile(filepath.Join(dir, "environ"))
		if err != nil || !contains(env, s.mark) {
			continue // another's, or it has ended
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
		fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:])) // from the third on, see proc(5)
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

// Kill kills all processes, and returns when there are none.
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

// Wait waits until there are no processes, for at most limit, and returns those that are
// there nevertheless.
func (s *Sandbox) Wait(limit time.Duration) ([]Process, error) {
	for end := time.Now().Add(limit); ; time.Sleep(10 * time.Millisecond) {
		all, err := s.Processes()
		if err != nil || len(all) == 0 || time.Now().After(end) {
			return all, err
		}
	}
}
