package safefile

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Prefix begins the names of unfinished files.
const Prefix = ".corpusgen-"

// Write writes data to the file at path, in place of an older one, whose permissions it keeps. It
// makes the directory if need be.
func Write(path string, data []byte) error { return write(path, data, plain) }

// WriteAll writes those files, by their slashed paths in a directory, that it does not hold yet.
func WriteAll(dir string, files map[string][]byte) error {
	for name, data := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, data) {
			continue
		}
		if err := Write(path, data); err != nil {
			return err
		}
	}
	return nil
}

// WriteProgram writes a file that those may run who may read it, as [Write] does, but whatever the
// permissions of an older one.
func WriteProgram(path string, data []byte) error { return write(path, data, program) }

// Permissions, as far as the process gives them.
const plain, program fs.FileMode = 0o666, 0o777

func write(path string, data []byte, perm fs.FileMode) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	tmp, err := unfinished(dir, data, perm)
	if err != nil {
		return of(path, err)
	}
	if old, failed := os.Stat(path); failed == nil && perm == plain {
		err = os.Chmod(tmp, old.Mode().Perm())
	}
	if err == nil {
		err = os.Rename(tmp, path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(tmp))
	}
	return nil
}

// Force is the flag -f of a command, nil if it has none: any regular file is [Replaceable].
var Force *bool

// Replaceable returns an error if there is a file at path that does not begin with begin, or whose
// first MiB lacks one of the marks: another program has written it, and [Write] would destroy it.
// An empty file is replaceable. All that writes a file that a flag names follows this rule.
func Replaceable(path, begin string, marks ...string) error {
	const beginning = 1 << 20 // bytes
	if dir := filepath.Dir(path); filepath.IsLocal(dir) {
		if err := NoLinks(dir); err != nil {
			return err
		}
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is not a regular file: name another one", path)
	case Forced():
		return nil
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, beginning))
	others := len(b) > 0 && !bytes.HasPrefix(b, []byte(begin))
	for _, mark := range marks {
		others = others || len(b) > 0 && !bytes.Contains(b, []byte(mark))
	}
	if err == nil && others {
		err = OtherError(path)
	}
	return err
}

// Forced reports whether -f is given.
func Forced() bool { return Force != nil && *Force }

// OtherError is the error of a file that is not [Replaceable].
func OtherError(path string) error {
	remedy := "remove it, or name another file"
	if Force != nil {
		remedy = "name another file, or replace it by -f"
	}
	return fmt.Errorf("%s exists and is not of this kind: %s", path, remedy)
}

// Create writes data to a new file at path. If there is one, Create leaves it alone and
// fails with [fs.ErrExist]. The unfinished file is in the directory dir, on the same file
// system as path.
func Create(path, dir string, data []byte) error { return create(path, dir, data, plain) }

// CreateProgram is [Create] for a file that those may run who may read it.
func CreateProgram(path, dir string, data []byte) error { return create(path, dir, data, program) }

func create(path, dir string, data []byte, perm fs.FileMode) error {
	tmp, err := unfinished(dir, data, perm)
	if err != nil {
		return of(path, err)
	}
	defer os.Remove(tmp)
	err = os.Link(tmp, path)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	return renameNew(tmp, path)
}

// renameNew publishes tmp on file systems without links. A process that creates path
// between the check and the renaming loses its file.
func renameNew(tmp, path string) error {
	if _, err := os.Lstat(path); err == nil {
		return &fs.PathError{Op: "create", Path: path, Err: fs.ErrExist}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.Rename(tmp, path)
}

// of returns the error of an unfinished file as one of the file that it would have become.
func of(path string, err error) error {
	if e := (*fs.PathError)(nil); errors.As(err, &e) {
		e.Path = path
	}
	return err
}

// unfinished writes a file in dir with the permissions of any new file, which os.CreateTemp
// would keep from other users.
func unfinished(dir string, data []byte, perm fs.FileMode) (path string, err error) {
	Sweep(dir)
	path = filepath.Join(dir, fmt.Sprintf("%s%d-%s", Prefix, os.Getpid(), rand.Text()))
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return "", err
	}
	_, err = f.Write(data)
	if err := errors.Join(err, f.Close()); err != nil {
		return "", errors.Join(err, os.Remove(path))
	}
	return path, nil
}
