package strength

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/espalier-go/espalier/internal/safefile"
)

// accepted is the file of -accept: survivors that are known. Each line begins with the identity of a
// mistake, which depends on its function and on nothing around that. The rest of a line is for
// readers.
type accepted struct {
	path   string // or ""
	update bool
	known  map[string]bool
	old    []string        // the lines of the file
	lines  []string        // for an update
	judged map[string]bool // directories whose mistakes have all been tried
}

// acceptedHead begins the file.
const acceptedHead = "# Mistakes that no test need notice, for corpusgen strength -accept. " +
	"A line counts by its first word.\n"

// maxAccepted bounds the file.
const maxAccepted = 16 << 20

func readAccepted(file string, update bool) (*accepted, error) {
	a := &accepted{update: update, known: map[string]bool{}, judged: map[string]bool{}}
	if file == "" {
		return a, nil
	}
	var err error
	if a.path, err = filepath.Abs(file); err != nil {
		return nil, err
	}
	text, err := safefile.Read(a.path, maxAccepted)
	switch {
	case errors.Is(err, fs.ErrNotExist) && update:
		return a, nil
	case err != nil:
		return nil, fmt.Errorf("-accept: %w", err)
	}
	if len(text) > 0 && !bytes.HasPrefix(text, []byte("# ")) && update {
		return nil, fmt.Errorf("-accept: %s is not such a file, and -update would replace it: name "+
			"another file", file)
	}
	for line := range strings.Lines(string(text)) {
		if fields := strings.Fields(line); len(fields) > 0 && fields[0] != "#" {
			a.known[fields[0]] = true
			a.old = append(a.old, strings.TrimSpace(line))
		}
	}
	return a, nil
}

// has reports whether a survivor is accepted: all are if the file is updated.
func (a *accepted) has(j judgment, file string) bool {
	if a.update {
		line, _, _ := strings.Cut(strings.TrimSpace(j.Before), "\n")
		a.lines = append(a.lines, fmt.Sprintf("%s %s %s %s: %s", j.ID, file, j.Func, j.Kind, line))
		return true
	}
	return a.known[j.ID]
}

// judge says that the mistakes of a directory are tried, all of them or some.
func (a *accepted) judge(dir string, all bool) { a.judged[filepath.ToSlash(dir)] = all }

// write writes the file: what has survived, and what it had of mistakes that have not been tried.
func (a *accepted) write() error {
	if !a.update {
		return nil
	}
	for _, line := range a.old {
		if fields := strings.Fields(line); len(fields) < 2 || !a.judged[path.Dir(filepath.ToSlash(fields[1]))] {
			a.lines = append(a.lines, line)
		}
	}
	slices.Sort(a.lines)
	a.lines = slices.Compact(a.lines)
	text := acceptedHead + strings.Join(append(a.lines, ""), "\n")
	if old, err := os.ReadFile(a.path); err == nil && string(old) == text {
		return nil
	}
	return safefile.Write(a.path, []byte(text))
}
