package docs

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// root is the directory of the module.
var root = filepath.Join("..", "..", "..")

// A page is a file of the documentation.
type page struct {
	path   string // from the root, with slashes
	lines  []string
	blocks []block
}

// A block is a fenced code block.
type block struct {
	page  *page
	info  string // after the opening fence
	first int    // index of its first line in the page
	lines []string
}

// at names a line of the block for a message.
func (b *block) at(i int) string { return fmt.Sprintf("%s:%d", b.page.path, b.first+i+1) }

// kind is the first word of the info.
func (b *block) kind() string {
	kind, _, _ := strings.Cut(b.info, " ")
	return kind
}

// guide returns the pages that a user reads first.
func guide(t *testing.T) []*page {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(root, "docs", "*"))
	require.NoError(t, err)
	pages := []*page{readPage(t, "README.md"), readPage(t, skill+"/SKILL.md")}
	for _, name := range names {
		info, err := os.Stat(name)
		require.NoError(t, err)
		if !info.IsDir() {
			pages = append(pages, readPage(t, "docs/"+filepath.Base(name)))
		}
	}
	require.Greater(t, len(pages), 2)
	return pages
}

func readPage(t *testing.T, path string) *page {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(path)))
	require.NoError(t, err)
	p := &page{path: path, lines: strings.Split(strings.ReplaceAll(string(text), "\r\n", "\n"), "\n")}
	for i := 0; i < len(p.lines); i++ {
		info, ok := strings.CutPrefix(p.lines[i], "```")
		if !ok {
			continue
		}
		b := block{page: p, info: info, first: i + 1}
		for i++; i < len(p.lines) && p.lines[i] != "```"; i++ {
			b.lines = append(b.lines, p.lines[i])
		}
		require.Less(t, i, len(p.lines), "%s: the code block is not closed", b.at(-1))
		p.blocks = append(p.blocks, b)
	}
	return p
}

// prose returns the text of the page without its code blocks, with as many lines.
func (p *page) prose() []string {
	lines := append([]string{}, p.lines...)
	for _, b := range p.blocks {
		for i := range b.lines {
			lines[b.first+i] = ""
		}
		lines[b.first-1] = ""
	}
	return lines
}

// text returns all of the page.
func (p *page) text() string { return strings.Join(p.lines, "\n") }

// files returns the files of the module whose names have the suffix, from the root.
func files(t *testing.T, suffix string) (paths []string) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := d.Name(); d.IsDir() && path != root &&
			(strings.HasPrefix(name, ".") && name != ".github" || name == "testdata") {
			return fs.SkipDir
		}
		if !d.IsDir() && strings.HasSuffix(path, suffix) {
			rel, err := filepath.Rel(root, path)
			paths = append(paths, filepath.ToSlash(rel))
			return err
		}
		return nil
	})
	require.NoError(t, err)
	return paths
}

var (
	linkForm    = regexp.MustCompile(`(?:\]\(|src(?:set)?=")([^)\s"]+)`)
	inlineCode  = regexp.MustCompile("`[^`]*`")
	headingForm = regexp.MustCompile(`^#+ (.*)$`)
	wholeForm   = regexp.MustCompile(`^(!\[|\[!\[|<img |description: )`) // lines that cannot be broken
	notInAnchor = regexp.MustCompile(`[^\p{L}\p{N}\- _]`)
)

// anchors returns the fragments that links to the page may have.
func (p *page) anchors() map[string]bool {
	anchors := map[string]bool{}
	for _, line := range p.prose() {
		if m := headingForm.FindStringSubmatch(line); m != nil {
			anchors[strings.ReplaceAll(notInAnchor.ReplaceAllString(strings.ToLower(m[1]), ""), " ",
				"-")] = true
		}
	}
	return anchors
}

// Relative links lead to files and headings that exist.
func TestLinks(t *testing.T) {
	t.Parallel()
	pages := map[string]*page{}
	for _, path := range append(files(t, ".md"), "docs/llms.txt") {
		pages[path] = readPage(t, path)
	}
	for path, p := range pages {
		for i, line := range p.prose() {
			for _, m := range linkForm.FindAllStringSubmatch(inlineCode.ReplaceAllString(line, "``"), -1) {
				if strings.Contains(m[1], "://") || strings.HasPrefix(m[1], "mailto:") {
					continue
				}
				file, fragment, _ := strings.Cut(m[1], "#")
				target := path
				if file != "" {
					target = filepath.ToSlash(filepath.Join(filepath.Dir(path), file))
				}
				if _, err := os.Stat(filepath.Join(root, target)); err != nil {
					t.Errorf("%s:%d: the link %s leads nowhere: there is no %s", path, i+1, m[1], target)
				} else if to := pages[target]; fragment != "" && (to == nil || !to.anchors()[fragment]) {
					t.Errorf("%s:%d: the link %s leads nowhere: %s has no such heading", path, i+1, m[1], target)
				}
			}
		}
	}
}

// The README is one screen, or three.
func TestLength(t *testing.T) {
	t.Parallel()
	if n := len(readPage(t, "README.md").lines) - 1; n > 110 {
		t.Errorf("README.md has %d lines, more than 110: move something to docs", n)
	}
}

// Lines have at most 100 columns, except rows of tables, images and the links to the neighbors.
func TestColumns(t *testing.T) {
	t.Parallel()
	for _, p := range append(guide(t), readPage(t, "CONTRIBUTING.md")) {
		for i, line := range p.prose() {
			if n := utf8.RuneCountInString(line); n > 100 && !strings.HasPrefix(line, "|") &&
				!strings.HasPrefix(line, "Previous: ") && !wholeForm.MatchString(line) {
				t.Errorf("%s:%d: %d columns, more than 100", p.path, i+1, n)
			}
		}
	}
}

// Each chapter is in the index, and each has links to its neighbors at both ends.
func TestIndex(t *testing.T) {
	t.Parallel()
	index := readPage(t, "docs/README.md").text()
	for _, p := range guide(t) {
		name, ok := strings.CutPrefix(p.path, "docs/")
		if !ok || name == "README.md" {
			continue
		}
		if !strings.Contains(index, "("+name+")") {
			t.Errorf("docs/README.md has no link to %s", name)
		}
		if strings.HasSuffix(name, ".md") && !strings.Contains(name, "/") &&
			(len(p.lines) < 4 || p.lines[2] != p.lines[len(p.lines)-2] ||
				!strings.Contains(p.lines[2], "[Guide](README.md)")) {
			t.Errorf("%s: the third line and the last must be the same links to the neighbors "+
				"and the guide", p.path)
		}
	}
}
