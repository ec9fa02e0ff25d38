package session

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/internal/safefile"
)

// Signed returns text below a line that begins with mark, and by which [Untouched] knows it.
func Signed(mark, text string) string {
	return fmt.Sprintf("%s%08x.\n%s", mark, crc32.ChecksumIEEE([]byte(text)), text)
}

// Untouched returns an error if there is a file at path that is not [Signed], or that has been
// changed since. With -f, it returns nil.
func Untouched(path, mark string) error {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) || safefile.Forced() {
		return nil
	} else if err != nil {
		return err
	}
	if _, rest, _ := strings.Cut(string(text), "\n"); len(text) > 0 &&
		Signed(mark, rest) != string(text) {
		return fmt.Errorf("%s exists and is not as corpusgen %s has written it: rename it, or "+
			"name another file by -o", gotest.Short(path), command(mark))
	}
	return nil
}

// command returns the name of the command in a mark.
func command(mark string) string {
	_, name, _ := strings.Cut(mark, "corpusgen ")
	name, _, _ = strings.Cut(name, ";")
	return name
}
