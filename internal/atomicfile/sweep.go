package atomicfile

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
var left = regexp.MustCompile(`^\` + Prefix + `(?:(\d+)-)?[0-9A-Z]+$`)

var swept sync.Map // absolute paths

// Sweep removes from a directory what killed processes have left there: what is unfinished, older
// than an hour, and not of a process that lives. A process does so once for each directory.
func Sweep(dir string) {
	path, err := filepath.Abs(dir)
	if _, known := swept.LoadOrStore(path, true); known || err != nil {
		return
	}
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		m := left.FindStringSubmatch(e.Name())
		if m == nil || lives(m[1]) {
			continue
		}
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > maxAge {
			_ = os.RemoveAll(filepath.Join(dir, e.Name()))
		}
	}
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
	return err == nil || errors.Is(err, os.ErrPermission) || runtime.GOOS == "windows" // which has no such signal
}
