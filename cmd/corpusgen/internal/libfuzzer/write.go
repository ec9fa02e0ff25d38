package libfuzzer

import (
	"archive/zip"
	"bytes"
	"crypto/sha1"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
	"github.com/espalier-go/espalier/internal/engine"
	"github.com/espalier-go/espalier/internal/safefile"
)

// write writes the binary of a target, which is at path, and the files beside it. It returns a
// line about them.
func (b *builder) write(t target, path string, seeds *engine.Seeds, a *cArchive) (string, error) {
	base := strings.TrimSuffix(t.file, ".exe")
	if b.archive {
		base = strings.TrimSuffix(base, ".a")
	}
	text := fmt.Sprintf("%s: %s, %s", gotest.Short(t.file), t.label(),
		session.Count(len(seeds.Inputs), "seed", "seeds"))
	if seeds.Structured {
		text += ", mutated by structure"
	}
	corpus, err := seedCorpus(seeds.Inputs)
	if err != nil {
		return "", err
	}
	if err := writeBinary(t.file, path); err != nil {
		return "", err
	}
	for _, file := range seeds.Files {
		if err := copyBeside(base+"."+filepath.Base(file), file); err != nil {
			return "", err
		}
	}
	return text + "\n", errors.Join(
		writeBeside(base+"_seed_corpus.zip", corpus, zipMark, len(seeds.Inputs) > 0),
		writeBeside(base+".options", []byte(options), mark, seeds.Structured),
		writeBeside(base+".ldflags", []byte(mark+"\n"+strings.Join(a.link, "\n")+"\n"), mark, b.archive),
	)
}

// writeBinary copies the binary or archive at from to path, in place of one that corpusgen has
// written.
func writeBinary(path, from string) error {
	old, err := safefile.Read(path, 4<<30)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	case len(old) > 0 && !bytes.Contains(old, []byte(strings.Join(objectMark, ""))) &&
		!safefile.Forced():
		return safefile.OtherError(path)
	}
	binary, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	info, err := os.Stat(from)
	if err != nil {
		return err
	}
	if info.Mode()&0o100 != 0 {
		return safefile.WriteProgram(path, binary)
	}
	return safefile.Write(path, binary)
}

// objectMark is in our binaries and archives, by glue/target.c. This program, too, has parts only.
var objectMark = []string{"this binary of ", "corpusgen libfuzzer cannot write"}

// copyBeside copies a file that the target reads, unless there is another one.
func copyBeside(path, from string) error {
	b, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	switch old, err := safefile.Read(path, 4<<30); {
	case errors.Is(err, fs.ErrNotExist):
		return safefile.Write(path, b)
	case err != nil:
		return err
	case !bytes.Equal(old, b):
		session.Complain("%s remains as it is: remove it, and build again, to have the one in %s",
			gotest.Short(path), gotest.Short(from))
	}
	return nil
}

// writeBeside writes a file beside a binary, or removes it unless there is anything to write. A
// file without its mark, which the user has written or taken over, remains.
func writeBeside(path string, b []byte, by string, wanted bool) error {
	old, err := safefile.Read(path, 4<<30)
	switch {
	case err == nil && !bytes.HasPrefix(old, []byte(by)) &&
		!(by == zipMark && bytes.HasSuffix(old, []byte(by))):
		session.Complain("%s remains as it is: corpusgen has not written it", gotest.Short(path))
		return nil
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	case wanted:
		return safefile.Write(path, b)
	case err == nil:
		return os.Remove(path)
	}
	return nil
}

// mark is in the text files that corpusgen writes beside a binary.
const mark = "# Written by corpusgen libfuzzer. Without this line, corpusgen keeps the file " +
	"as it is."

// zipMark is in the archives of seeds.
const zipMark = "Written by corpusgen libfuzzer"

// seedCorpus returns a zip archive of inputs, each under the name that libFuzzer would give it:
// the SHA-1 of its bytes.
func seedCorpus(inputs [][]byte) ([]byte, error) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	if err := w.SetComment(zipMark); err != nil {
		return nil, err
	}
	known := map[string]bool{}
	for _, in := range inputs {
		name := fmt.Sprintf("%x", sha1.Sum(in))
		if known[name] {
			continue
		}
		known[name] = true
		f, err := w.Create(name)
		if err != nil {
			return nil, err
		}
		if _, err := f.Write(in); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return b.Bytes(), err
}

// options is the file of options that OSS-Fuzz and ClusterFuzzLite read, of a target whose inputs
// have a structure: a value may take more than libFuzzer's 4096 bytes.
const options = mark + "\n[libfuzzer]\nmax_len = 65536\n"
