package safefile

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"sync"
	"syscall"
	"time"
)

// maxAge is how long an unfinished file may be one, if it is not known whose it is.
const maxAge = time.Hour

// left matches the names of unfinished files and directories, and finds the process that has made
// one, if the name tells.
var left = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\` + Prefix + `(?:(\d+)-)?[0-9A-Z]+$`)
})

var swept sync.Map // absolute paths

// Sweep removes from a directory what killed processes have left there: what is unfinished, not of
// a process that lives, and older than an hour, or from the future, by the clock of the file
// system. A process does so once for each directory.
func Sweep(dir string) {
	path, err := filepath.Abs(dir)
	if _, known := swept.LoadOrStore(path, true); known || err != nil {
		return
	}
	entries, _ := os.ReadDir(dir)
	var now time.Time
	for _, e := range entries {
		m := left().FindStringSubmatch(e.Name())
		if m == nil || lives(m[1]) {
			continue
		}
		if now.IsZero() {
			now = clock(dir)
		}
		if info, err := e.Info(); err == nil && now.Sub(info.ModTime()).Abs() > maxAge {
			_ = os.RemoveAll(filepath.Join(dir, e.Name()))
		}
	}
}

// clock returns the time by which files in a directory are dated: others may share it, and its
// machine's clock, or ours, may be wrong. It is a variable for tests.
var clock = func(dir string) time.Time {
	now := time.Now()
	if f, err := os.CreateTemp(dir, Prefix+"*"); err == nil {
		if info, err := f.Stat(); err == nil {
			now = info.ModTime()
		}
		_ = errors.Join(f.Close(), os.Remove(f.Name()))
	}
	return now
}

// lives reports whether there is a process of this number.
func lives(pid string) bool {
	n, err := strconv.Atoi(pid)
	if err != nil {
		return false
	}
	p, err := os.FindProcess(n)
	if err != nil {
		return false
	}
	defer p.Release()
	err = p.Signal(syscall.Signal(0))
	// which has no such signal
	return err == nil || errors.Is(err, os.ErrPermission) || runtime.GOOS == "windows"
}
