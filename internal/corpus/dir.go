package corpus

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/espalier-go/espalier/internal/safefile"
)

// An Entry is one file of a corpus.
type Entry struct {
	Name string // of the file, without its directory
	Data []byte // the argument that it holds
}

// Read returns the entries of the corpus in dir, sorted by name. There are none if dir
// does not exist. Read skips subdirectories, as the engine does. The error joins the
// errors of all files that cannot be read or parsed, each with the file's path. The
// entries returned with it are good.
func Read(dir string) ([]Entry, error) {
	files, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var entries []Entry
	var errs []error
	for _, f := range files {
		if f.IsDir() {
			continue
		}
		path := filepath.Join(dir, f.Name())
		file, err := ReadFile(path)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		data, err := Unmarshal(file)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", safefile.Quoted(path), err))
			continue
		}
		entries = append(entries, Entry{Name: f.Name(), Data: data})
	}
	return entries, errors.Join(errs...)
}

// Check returns an error, with their paths, if the corpus in dir has files that go test must not
// read: files on which it could block or that have no end, such as named pipes, files larger than
// [MaxFile], and links. go test reads all files and follows links, so its messages, and what it
// keeps and saves, would reveal what only we may read. A broken link is allowed, because its
// readers fail at once.
func Check(dir string) error {
	files, _ := os.ReadDir(dir) // readers report what cannot be listed
	var errs []error
	for _, f := range files {
		path := filepath.Join(dir, f.Name())
		if info, err := os.Stat(path); err == nil && !info.IsDir() {
			errs = append(errs, safefile.CheckEntry(path, MaxFile))
		}
	}
	return errors.Join(errs...)
}

// MaxFile is the size, in bytes, of the largest file that is read. No engine takes as much.
const MaxFile = 256 << 20

// ReadFile reads an entry. It refuses a file that is larger than [MaxFile] or not regular, such as
// a link or a file on which a reader could block.
func ReadFile(path string) ([]byte, error) { return safefile.ReadEntry(path, MaxFile) }

// Write adds b to the corpus in dir, under its [Name], and returns the path of
// the file. It creates dir if necessary. If the file is there already, isNew is
// false. If it then holds something else, Write leaves it alone and returns an
// error.
//
// The file appears whole or not at all, even if the process is killed
// ([safefile.Create]). Until then, it is in the parent of dir, where the engine reads no
// files.
func Write(dir string, b []byte) (path string, isNew bool, err error) {
	return WriteArgs(dir, []any{b})
}

// WriteMarked is Write, with a mark at the end of the name of the file.
func WriteMarked(dir string, b []byte, mark string) (path string, isNew bool, err error) {
	return write(dir, []any{b}, mark)
}

// WriteArgs adds the arguments of a target to the corpus in dir, as [Write] adds a []byte. The
// name of the file is [NameOf] its content.
func WriteArgs(dir string, args []any) (path string, isNew bool, err error) {
	return write(dir, args, "")
}

func write(dir string, args []any, mark string) (path string, isNew bool, err error) {
	file := MarshalArgs(args)
	name := NameOf(file) + mark
	path = filepath.Join(dir, name)
	if len(file) > MaxFile {
		return path, false, fmt.Errorf("as a corpus file, it has %d bytes: at most %d are read",
			len(file), int64(MaxFile))
	}
	if there, err := holds(path, file); there || err != nil {
		return path, false, err
	}
	return Add(dir, name, file)
}

// Add adds a file of any format to a directory, as [Write] adds an entry. If a file of that name
// holds something else, the error is [fs.ErrExist].
func Add(dir, name string, file []byte) (path string, isNew bool, err error) {
	path = filepath.Join(dir, name)
	if err := safefile.NoLinks(dir); err != nil {
		return path, false, err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return path, false, err
	}
	err = safefile.Create(path, filepath.Dir(filepath.Clean(dir)), file)
	if !errors.Is(err, fs.ErrExist) {
		return path, err == nil, err
	}
	if there, err := ReadFile(path); err != nil || !bytes.Equal(there, file) {
		return path, false, fmt.Errorf("%s holds something else, and stays: name another "+
			"directory: %w", path, fs.ErrExist)
	}
	return path, false, nil
}

// holds reports whether there is a file at path. It returns an error if the file does not
// hold the same arguments as other. A file with other line ends, as git may write it, holds
// the same.
func holds(path string, other []byte) (bool, error) {
	file, err := ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return true, err
	}
	if old, err := UnmarshalArgs(file); err != nil {
		return true, fmt.Errorf("%s exists and is not a corpus file: %w", path, err)
	} else if !bytes.Equal(MarshalArgs(old), other) {
		return true, fmt.Errorf("%s exists and holds another value than its name says", path)
	}
	return true, nil
}
