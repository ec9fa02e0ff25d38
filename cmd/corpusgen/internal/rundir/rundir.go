// Package rundir gives each process a directory for its temporary files. If the process
// cannot remove it, because it is killed, a later one does.
//
//	dir, err := rundir.New(parent)
//	defer dir.Remove()
//
// A process holds a lock on its directory for as long as it lives. So any number
// of processes can share a parent.
package rundir

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/lockedfile"
)

// A Dir is a directory of this process.
type Dir struct {
	Path string // absolute
	lock *os.File
}

const (
	gate = "lock"  // in the parent: held while directories are made and removed
	life = "lock"  // in a directory: held while its process lives
	note = "short" // in a directory: names the one that Short has made
)

// New makes a directory in parent, which it makes as well if need be, and
// removes the directories of processes that have ended.
func New(parent string) (*Dir, error) {
	parent, err := filepath.Abs(parent)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(parent, 0o777); err != nil {
		return nil, err
	}
	unlock, err := lockedfile.MutexAt(filepath.Join(parent, gate)).Lock()
	if err != nil {
		return nil, err
	}
	defer unlock()
	sweep(parent)
	d := &Dir{}
	if d.Path, err = os.MkdirTemp(parent, strconv.Itoa(os.Getpid())+"-*"); err != nil {
		return nil, err
	}
	if d.lock, err = os.Create(filepath.Join(d.Path, life)); err == nil {
		err = hold(d.lock)
	}
	if err != nil {
		return nil, errors.Join(err, d.Remove())
	}
	return d, nil
}

// Short makes a directory where the system has temporary files, which is removed with d. Its path is
// short: the name of a Unix socket has about 100 bytes. It may be called once.
func (d *Dir) Short() (path string, err error) {
	if path, err = os.MkdirTemp("", shortPrefix); err != nil {
		return "", err
	}
	if err := os.WriteFile(filepath.Join(d.Path, note), []byte(path), 0o666); err != nil {
		return "", errors.Join(err, os.Remove(path))
	}
	return path, nil
}

const shortPrefix = "esp"

// Sub makes a directory in dir. Its name is prefix and the first number that is free: names depend
// on nothing but what was made before.
func Sub(dir, prefix string) (string, error) {
	for n := 1; ; n++ {
		path := filepath.Join(dir, prefix+"-"+strconv.Itoa(n))
		if err := os.Mkdir(path, 0o777); !errors.Is(err, fs.ErrExist) {
			return path, err
		}
	}
}

// Remove removes the directory with all that is in it.
func (d *Dir) Remove() error {
	if d.lock != nil {
		d.lock.Close()
	}
	return remove(d.Path)
}

// remove removes the directory of a process, after the one that Short has made.
func remove(dir string) error {
	var err error
	path, unread := os.ReadFile(filepath.Join(dir, note))
	if unread == nil && strings.HasPrefix(filepath.Base(string(path)), shortPrefix) {
		err = os.RemoveAll(string(path))
	}
	return errors.Join(err, os.RemoveAll(dir))
}

// made is the form of the names that New gives, which begin with the number of the process.
var made = regexp.MustCompile(`^\d+-\d+$`)

// sweep removes the directories of processes that have ended, also those in which there is
// no lock yet, or no more. It leaves what it cannot remove to the next process.
func sweep(parent string) {
	locks, _ := filepath.Glob(filepath.Join(parent, "*", life))
	for _, path := range locks {
		if abandoned(path) {
			_ = remove(filepath.Dir(path))
		}
	}
	dirs, _ := os.ReadDir(parent)
	for _, dir := range dirs {
		path := filepath.Join(parent, dir.Name())
		if _, err := os.Lstat(filepath.Join(path, life)); dir.IsDir() &&
			made.MatchString(dir.Name()) && errors.Is(err, fs.ErrNotExist) {
			_ = remove(path)
		}
	}
}

// Lock waits until no other process holds the file at path, which it makes, and holds it. The
// function that it returns releases it; so does the end of the process.
func Lock(ctx context.Context, path string) (unlock func(), err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return nil, err
	}
	type lock struct {
		release func()
		err     error
	}
	locked := make(chan lock)
	go func() {
		release, err := lockedfile.MutexAt(path).Lock() // which no context ends
		select {
		case locked <- lock{release, err}:
		case <-ctx.Done():
			if err == nil {
				release()
			}
		}
	}()
	select {
	case l := <-locked:
		return l.release, l.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}
