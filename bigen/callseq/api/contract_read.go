package api

import (
	"io"
	"io/fs"
	"os"
	"testing/fstest"
	"testing/iotest"
)

// maxRead bounds what is read to test a reader, and maxFiles the files of a file system.
const (
	maxRead  = 1 << 16
	maxFiles = 100
)

// readContracts say that what can be read from its beginning passes [iotest.TestReader], and that
// a file system passes [fstest.TestFS].
func readContracts[T any]() []contract[T] {
	return atEnd(
		of[io.ReadSeeker, T]("iotest.TestReader", func(x io.ReadSeeker) string {
			if _, ok := x.(*os.File); ok {
				return ""
			}
			if _, err := x.Seek(0, io.SeekStart); err != nil {
				return ""
			}
			content, err := io.ReadAll(io.LimitReader(x, maxRead))
			if err != nil || len(content) == maxRead {
				return ""
			}
			if _, err := x.Seek(0, io.SeekStart); err != nil {
				return err.Error()
			}
			return textOfError(iotest.TestReader(x, content))
		}, `if _, err := %[1]s.Seek(0, io.SeekStart); err == nil {
	content, err := io.ReadAll(%[1]s)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := %[1]s.Seek(0, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	if err := iotest.TestReader(%[1]s, content); err != nil {
		t.Error(err)
	}
}`),
		of[fs.FS, T]("fstest.TestFS", func(x fs.FS) string {
			files, entries := []string(nil), 0
			err := fs.WalkDir(x, ".", func(path string, d fs.DirEntry, err error) error {
				if entries++; err != nil || entries > maxFiles {
					return fs.SkipAll
				}
				if !d.IsDir() {
					files = append(files, path)
				}
				return nil
			})
			if err != nil || entries > maxFiles {
				return ""
			}
			return textOfError(fstest.TestFS(x, files...))
		}, `if err := fstest.TestFS(%[1]s); err != nil {
	t.Error(err)
}`),
	)
}
