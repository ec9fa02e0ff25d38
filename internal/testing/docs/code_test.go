package docs

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const ellipsis = "..."

// Code stands in a Go file of the module, where it is compiled and tested.
func TestCode(t *testing.T) {
	t.Parallel()
	sources := map[string][]string{}
	added, err := filepath.Glob(filepath.Join("testdata", "*", "*.go")) // to modules that are cloned
	require.NoError(t, err)
	for i := range added {
		added[i] = "internal/testing/docs/" + filepath.ToSlash(added[i])
	}
	for _, path := range append(files(t, ".go"), added...) {
		text, err := os.ReadFile(filepath.Join(root, path))
		require.NoError(t, err)
		sources[path] = strings.Split(string(text), "\n")
	}
	for _, p := range guide(t) {
		for _, b := range p.blocks {
			switch b.kind() {
			case "go":
				if problem := findCode(sources, &b); problem != "" {
					t.Error(problem)
				}
			case "console", "sh", "text", "yaml":
			default:
				t.Errorf("%s: a code block of the kind %q: see the package comment for those "+
					"that are tested", b.at(-1), b.info)
			}
		}
	}
}

// findCode says how the closest source differs from the block, or nothing if one has it.
func findCode(sources map[string][]string, b *block) (problem string) {
	most := -1
	for path, source := range sources {
		matched, line := bestMatch(b.lines, source)
		if matched == len(b.lines) {
			return ""
		}
		if matched > most {
			most, problem = matched,
				fmt.Sprintf("%s: this line is in no Go file of the module:\n\t%s\n"+
					"The closest, %s:%d, has\n\t%s",
					b.at(matched), b.lines[matched], path, line+1, append(source, "the end of the file")[line])
		}
	}
	return problem
}

// bestMatch returns how many of the lines match at the best place of a source, and the
// index of the source's line that does not match the next.
func bestMatch(lines, source []string) (matched, at int) {
	for i := range source {
		if n, line := match(lines, source[i:]); n > matched || i == 0 {
			matched, at = n, i+line
		}
	}
	return matched, at
}

// match matches lines, where "..." is for any number of them, with a beginning of the source.
// It returns how many do match, and the source's line after them.
func match(lines, source []string) (matched, at int) {
	for matched < len(lines) {
		if lines[matched] == ellipsis {
			best, where := 0, at
			for i := at; i <= len(source); i++ {
				if n, line := match(lines[matched+1:], source[i:]); n > best || i == at {
					best, where = n, i+line
				}
				if best == len(lines)-matched-1 {
					break
				}
			}
			return matched + 1 + best, where
		}
		if at == len(source) || lines[matched] != source[at] {
			return matched, at
		}
		matched++
		at++
	}
	return matched, at
}
