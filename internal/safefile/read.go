// Package safefile reads and writes files where other processes, or other people, are at work, too.
//
// It reads regular files only, with a bound: no reader blocks on them, and they have an end. It
// writes files that appear whole or not at all, even if the process is killed. A killed process may
// leave an unfinished file, whose name begins with [Prefix]. A later process removes it: see
// [Sweep].
package safefile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// Open opens the regular file at path, or the one to which a link there leads. It is for files that
// a flag, an option or a variable names.
func Open(path string) (*os.File, error) { return open(path, os.Stat) }

// OpenEntry opens the regular file at path. A link is an error: whoever can write to a directory
// could otherwise have us publish what only we may read.
func OpenEntry(path string) (*os.File, error) { return open(path, os.Lstat) }

// Read reads a file that [Open] opens. An error says if it has more than most bytes.
func Read(path string, most int64) ([]byte, error) { return read(path, most, Open) }

// ReadEntry reads a file that [OpenEntry] opens. An error says if it has more than most bytes.
func ReadEntry(path string, most int64) ([]byte, error) { return read(path, most, OpenEntry) }

// Check returns the error of [Read], without reading.
func Check(path string, most int64) error { return checkAll(path, most, os.Stat) }

// CheckEntry returns the error of [ReadEntry], without reading.
func CheckEntry(path string, most int64) error { return checkAll(path, most, os.Lstat) }

func checkAll(path string, most int64, stat func(string) (fs.FileInfo, error)) error {
	info, err := check(path, stat)
	if err != nil {
		return err
	}
	return fits(path, info.Size(), most)
}

// Quoted returns a path as messages have it: quoted if it has characters that do not print. Others
// may have chosen the name, and a terminal, or the log of a CI, would act on it.
func Quoted(path string) string {
	if q := strconv.Quote(path); q != `"`+strings.ReplaceAll(path, `\`, `\\`)+`"` {
		return q
	}
	return path
}

func fits(path string, size, most int64) error {
	if size > most {
		return fmt.Errorf("%s has %d bytes: at most %d are read", Quoted(path), size, most)
	}
	return nil
}

func check(path string, stat func(string) (fs.FileInfo, error)) (fs.FileInfo, error) {
	info, err := stat(path)
	if err != nil {
		return nil, err
	}
	switch mode := info.Mode(); {
	case mode.IsRegular():
		return info, nil
	case mode&fs.ModeSymlink != 0:
		if _, err := os.Stat(path); err != nil {
			return nil, fmt.Errorf("%s is a link to a file that does not exist: remove it", Quoted(path))
		}
		return nil, fmt.Errorf("%s is a link: put a copy of the file in its place", Quoted(path))
	case mode.IsDir():
		return nil, &fs.PathError{Op: "read", Path: path, Err: syscall.EISDIR}
	default:
		return nil, fmt.Errorf("%s is not a regular file (mode %v): remove it, or name "+
			"another file", Quoted(path), mode)
	}
}

// open opens what stat describes. Without blocking, since another process may put a pipe there
// meanwhile; and the file that is open must be the one described.
func open(path string, stat func(string) (fs.FileInfo, error)) (*os.File, error) {
	info, err := check(path, stat)
	if err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	opened, err := f.Stat()
	if err == nil && !os.SameFile(info, opened) {
		err = fmt.Errorf("%s has been replaced while it was opened: try again", Quoted(path))
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

func read(path string, most int64, open func(string) (*os.File, error)) ([]byte, error) {
	f, err := open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if err := fits(path, info.Size(), most); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.Grow(int(info.Size()) + bytes.MinRead)
	n, err := io.Copy(&b, io.LimitReader(f, most+1)) // it may grow
	if err == nil {
		err = fits(path, n, most)
	}
	if err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// NoLinks returns an error if the path of dir, a directory for output, has a link below the working
// directory, which others may have filled. Elsewhere, only dir must not be a link. It need not
// exist.
func NoLinks(dir string) error {
	if filepath.IsLocal(dir) {
		return Below(".", dir)
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	root := filepath.Dir(dir)
	if here, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(here, dir); err == nil && filepath.IsLocal(rel) {
			root = here
		}
	}
	return Below(root, dir)
}

// Below returns an error if the path of dir has a link below the directory root: what is written to
// dir, or removed, would be elsewhere. It need not exist.
func Below(root, dir string) error {
	rel, err := filepath.Rel(root, dir)
	if err != nil || !filepath.IsLocal(rel) {
		return fmt.Errorf("%s is outside of %s", dir, root)
	}
	path := root
	for part := range strings.SplitSeq(rel, string(filepath.Separator)) {
		path = filepath.Join(path, part)
		if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return fmt.Errorf("%s is a link: put a directory in its place", Quoted(path))
		}
	}
	return nil
}
