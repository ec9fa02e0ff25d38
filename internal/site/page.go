package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// repository is where a link leads to what is not in docs.
const repository = "https://github.com/espalier-go/espalier/blob/main/"

// A site is the pages of a directory, and the files beside them.
type site struct {
	pages  []*page
	assets map[string]bool // by path from the directory
}

// A page is a chapter.
type page struct {
	name, file string // of the Markdown, and of the page
	title      string
	source     []byte
	tree       ast.Node
	anchors    anchors
}

var markdown = goldmark.New(goldmark.WithExtensions(extension.GFM),
	goldmark.WithParserOptions(parser.WithAutoHeadingID()))

// read reads all chapters, the index first and the others in its order.
func read(docs string) (*site, error) {
	s := &site{assets: map[string]bool{}}
	err := filepath.WalkDir(docs, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(docs, name)
		if rel = filepath.ToSlash(rel); !isChapter(rel) {
			s.assets[rel] = true
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	index, err := readPage(docs, "README.md")
	if err != nil {
		return nil, err
	}
	s.pages = []*page{index}
	known := map[string]bool{"README.md": true}
	for _, to := range index.links() {
		if name := string(to.Destination); isChapter(name) && !known[name] {
			known[name] = true
			p, err := readPage(docs, name)
			if err != nil {
				return nil, err
			}
			s.pages = append(s.pages, p)
		}
	}
	return s, nil
}

// isChapter reports whether a file of docs becomes a page.
func isChapter(name string) bool { return path.Ext(name) == ".md" && path.Dir(name) == "." }

func readPage(docs, name string) (*page, error) {
	source, err := os.ReadFile(filepath.Join(docs, name))
	if err != nil {
		return nil, err
	}
	p := &page{
		name: name, file: strings.TrimSuffix(name, ".md") + ".html",
		source: bytes.ReplaceAll(source, []byte("\r\n"), []byte("\n")), anchors: anchors{},
	}
	if name == "README.md" {
		p.file = "index.html"
	}
	p.tree = markdown.Parser().Parse(text.NewReader(p.source),
		parser.WithContext(parser.NewContext(parser.WithIDs(p.anchors))))
	first, _, _ := strings.Cut(string(p.source), "\n")
	p.title = strings.TrimPrefix(first, "# ")
	return p, nil
}

// links returns the links of the page, in their order.
func (p *page) links() (links []*ast.Link) {
	_ = ast.Walk(p.tree, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if l, ok := n.(*ast.Link); ok && entering {
			links = append(links, l)
		}
		return ast.WalkContinue, nil
	}) // the function returns no error
	return links
}

// anchors are the fragments of a page, as GitHub makes them of headings.
type anchors map[string]bool

var notInAnchor = regexp.MustCompile(`[^\p{L}\p{N}\- _]`)

func (a anchors) Generate(value []byte, _ ast.NodeKind) []byte {
	base := strings.ReplaceAll(notInAnchor.ReplaceAllString(strings.ToLower(string(value)), ""), " ", "-")
	id := base
	for n := 1; a[id]; n++ {
		id = fmt.Sprintf("%s-%d", base, n)
	}
	a[id] = true
	return []byte(id)
}

func (a anchors) Put(value []byte) { a[string(value)] = true }
