package strength

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/loader"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/mistake"
	"github.com/espalier-go/espalier/internal/safefile"
)

// A memory has verdicts of earlier runs. A verdict holds as long as the function with the mistake and
// the tests that decided it stay what they are: the one that notices it, or all that reach it and do
// not. What else the package does is not part of that: see -fresh.
type memory struct {
	path  string
	tests map[string]string // what each test is, by name
	mu    sync.Mutex
	known map[string]remembered // by the identity of a mistake
	dirty bool
}

// A remembered is a verdict of an earlier run.
type remembered struct {
	Verdict verdict
	By, Why string `json:",omitempty"`
	Tests   string // what the tests were that decided it
}

// maxMemory bounds the file of a memory.
const maxMemory = 64 << 20

// remember reads the memory of a package.
func (p *program) remember(ctx context.Context) (*memory, error) {
	m := &memory{known: map[string]remembered{}}
	var err error
	if m.tests, err = p.identities(ctx); err != nil {
		return nil, err
	}
	name := fmt.Sprintf("%x.json", sha256.Sum256([]byte(p.pkg.Dir)))
	m.path = filepath.Join(p.cache, name[:16]+".json")
	if p.fresh {
		return m, nil
	}
	if b, err := safefile.Read(m.path, maxMemory); err == nil {
		_ = json.Unmarshal(b, &m.known) // what cannot be read is found out again
	}
	if m.known == nil {
		m.known = map[string]remembered{}
	}
	return m, nil
}

// recall sets the verdict on a mistake, if it is known.
func (m *memory) recall(j *judgment) bool {
	old, ok := m.known[j.ID]
	if !ok || old.Tests != m.deciding(old, j.Tests) ||
		old.Verdict == killed && !slices.Contains(j.Tests, old.By) { // it does not run, or not there
		return false
	}
	j.Verdict, j.By, j.Why, j.known = old.Verdict, old.By, old.Why, true
	return true
}

// keep remembers a verdict.
func (m *memory) keep(j judgment) {
	m.mu.Lock()
	defer m.mu.Unlock()
	r := remembered{Verdict: j.Verdict, By: j.By, Why: j.Why}
	r.Tests = m.deciding(r, j.Tests)
	if m.dirty = true; r.Verdict == unsteady || r.Verdict == killed && m.tests[r.By] == "" {
		delete(m.known, j.ID)
		return
	}
	m.known[j.ID] = r
}

// deciding returns what the tests are that decide a verdict.
func (m *memory) deciding(r remembered, reaching []string) string {
	if r.Verdict == killed {
		return m.tests[r.By]
	}
	var list []string
	for _, name := range reaching {
		list = append(list, name+" "+m.tests[name])
	}
	slices.Sort(list)
	return sum(list...)
}

func (m *memory) write() error {
	if !m.dirty {
		return nil
	}
	text, err := json.Marshal(m.known)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(m.path), 0o777); err != nil {
		return err
	}
	return safefile.Write(m.path, text)
}

// identities returns what each test is: its tokens, with those of all in the test files that is not a
// test, the files that they depend on (see around), and how the tests are built and run.
func (p *program) identities(ctx context.Context) (map[string]string, error) {
	set := token.NewFileSet()
	files, err := p.pkg.Parse(set, slices.Concat(p.pkg.TestGoFiles, p.pkg.XTestGoFiles), nil)
	if err != nil {
		return nil, err
	}
	around, err := p.around(ctx, files)
	if err != nil {
		return nil, err
	}
	common := []string{p.env.GOVERSION, p.env.GOFLAGS, fmt.Sprint(p.checks, p.unconfined), around}
	common = append(common, slices.Concat(p.flags.BuildFlags(), p.flags.Test)...)
	own := map[string]string{}
	for _, f := range files {
		for _, decl := range f.Syntax.Decls {
			if imports, ok := decl.(*ast.GenDecl); ok && imports.Tok == token.IMPORT {
				continue
			}
			code := codeOf(set, f, decl)
			if fn, ok := decl.(*ast.FuncDecl); ok && slices.Contains(p.tests.listed, fn.Name.Name) {
				own[fn.Name.Name] = code
			} else {
				common = append(common, code)
			}
		}
	}
	for name, code := range own {
		own[name] = sum(append([]string{code}, common...)...)
	}
	return own, nil
}

// codeOf returns the tokens of a declaration.
func codeOf(set *token.FileSet, f loader.File, decl ast.Decl) string {
	from, to := set.PositionFor(decl.Pos(), false).Offset, set.PositionFor(decl.End(), false).Offset
	code, _ := mistake.Tokens(string(f.Text[from:to]))
	return code
}

func sum(texts ...string) string {
	h := sha256.New()
	for _, text := range texts {
		fmt.Fprintf(h, "%d %s", len(text), text)
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:8])
}
