package libfuzzer

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
	"github.com/espalier-go/espalier/internal/atomicfile"
	"github.com/espalier-go/espalier/internal/engine"
)

// write writes the binary of a target, which is at path, and the files beside it. It returns a
// line about them.
func (b *builder) write(t target, path string, seeds *engine.Seeds, a *archive) (string, error) {
	dictionary := a.dictionary
	base := strings.TrimSuffix(t.file, ".exe")
	if b.Archive {
		base = strings.TrimSuffix(base, ".a")
	}
	text := fmt.Sprintf("%s: %s, %s", gotest.Short(t.file), t.label(), session.Count(len(seeds.Inputs), "seed", "seeds"))
	if seeds.Structured {
		dictionary = nil
		text += ", mutated by structure"
	}
	corpus, err := SeedCorpus(seeds.Inputs)
	if err != nil {
		return "", err
	}
	named := ""
	if dictionary != nil {
		named = filepath.Base(base) + ".dict"
	}
	options := Options(named, seeds.Structured)
	if err := writeBinary(t.file, path); err != nil {
		return "", err
	}
	for _, file := range seeds.Files {
		if err := copyBeside(base+"."+filepath.Base(file), file); err != nil {
			return "", err
		}
	}
	return text + "\n", errors.Join(
		writeBeside(base+"_seed_corpus.zip", corpus, ZipMark, len(seeds.Inputs) > 0),
		writeBeside(base+".dict", dictionary, Mark, dictionary != nil),
		writeBeside(base+".options", options, Mark, true),
		writeBeside(base+".ldflags", LinkFlags(a.link), Mark, b.Archive),
	)
}

// writeBinary copies the binary or archive at from to path, in place of another one.
func writeBinary(path, from string) error {
	switch ok, err := isObject(path); {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	case err == nil && !ok:
		return fmt.Errorf("%s exists and is neither a binary nor an archive: remove it, or name another file", path)
	}
	binary, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	info, err := os.Stat(from)
	if err != nil {
		return err
	}
	if err := atomicfile.Write(path, binary); err != nil {
		return err
	}
	return os.Chmod(path, info.Mode().Perm())
}

// isObject reports whether a file begins as binaries and archives do.
func isObject(path string) (bool, error) {
	f, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	var magic [8]byte
	n, err := io.ReadFull(f, magic[:])
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil
	}
	for _, m := range []string{"\x7fELF", "!<arch>\n", "\xcf\xfa\xed\xfe", "\xca\xfe\xba\xbe"} {
		if bytes.HasPrefix(magic[:n], []byte(m)) {
			return true, err
		}
	}
	return n == 0, err
}

// copyBeside copies a file that the target reads, unless there is another one.
func copyBeside(path, from string) error {
	b, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	switch old, err := os.ReadFile(path); {
	case errors.Is(err, fs.ErrNotExist):
		return atomicfile.Write(path, b)
	case err != nil:
		return err
	case !bytes.Equal(old, b):
		session.Complain("%s remains as it is: remove it, and build again, to have the one in %s", gotest.Short(path), gotest.Short(from))
	}
	return nil
}

// writeBeside writes a file beside a binary, or removes it unless there is anything to write. A
// file without the mark, which the user has written or taken over, remains.
func writeBeside(path string, b []byte, mark string, wanted bool) error {
	old, err := os.ReadFile(path)
	switch {
	case err == nil && !bytes.Contains(old, []byte(mark)):
		session.Complain("%s remains as it is: corpusgen has not written it", gotest.Short(path))
		return nil
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	case wanted:
		return atomicfile.Write(path, b)
	case err == nil:
		return os.Remove(path)
	}
	return nil
}
