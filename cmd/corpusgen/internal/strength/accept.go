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
// mistake, which depends on its package and its function, and on nothing around that. The rest of a
// line is for readers. It names the file below the import path of the package, wherever the command
// runs.
type accepted struct {
	path   string // or ""
	update bool
	known  map[string]bool
	old    []string        // the lines of the file
	lines  []string        // for an update
	judged map[string]bool // packages whose mistakes have all been tried
	tried  map[string]bool // mistakes of these, and survivors, by their identities
}

// acceptedHead begins the file.
const acceptedHead = "# Mistakes that no test need notice, for corpusgen strength -accept. " +
	"A line counts by its first word.\n"

// maxAccepted bounds the file.
const maxAccepted = 16 << 20

func readAccepted(file string, update bool) (*accepted, error) {
	a := &accepted{
		update: update, known: map[string]bool{}, judged: map[string]bool{}, tried: map[string]bool{},
	}
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

// has reports whether a survivor of a package is accepted: all are if the file is updated.
func (a *accepted) has(j judgment, pkg string) bool {
	if a.update {
		a.tried[j.ID] = true
		line, _, _ := strings.Cut(strings.TrimSpace(j.Before), "\n")
		file := path.Join(pkg, filepath.Base(j.File))
		a.lines = append(a.lines, fmt.Sprintf("%s %s %s %s: %s", j.ID, file, j.Func, j.Kind, line))
		return true
	}
	return a.known[j.ID]
}

// judge says that these are all mistakes of a package, and that they are tried.
func (a *accepted) judge(pkg string, list []judgment) {
	a.judged[pkg] = true
	for _, j := range list {
		a.tried[j.ID] = true
	}
}

// isOld reports whether a line of the file says what has been decided anew. In files of earlier
// versions, paths are relative to a directory that is not known: of these lines, only those of
// mistakes that have been tried are old.
func (a *accepted) isOld(line string) bool {
	fields := strings.Fields(line)
	return a.tried[fields[0]] || len(fields) > 1 && a.judged[path.Dir(fields[1])]
}

// write writes the file: what has survived, and what it had of mistakes that have not been tried.
func (a *accepted) write() error {
	if !a.update {
		return nil
	}
	for _, line := range a.old {
		if !a.isOld(line) {
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
