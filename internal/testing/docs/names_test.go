package docs

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// packages are the packages whose identifiers the guide names.
var packages = []string{"bigen", "bigen/bigentest", "bigen/callseq", "bigen/callseq/api",
	"bigen/callseq/linear", "bigen/tune", "bigen/tune/predict", "choices", "choices/bias",
	"choices/combinations", "choices/enumerate", "choices/varied", "fuzzext", "mutate", "rl"}

// parsed returns the Go files of a package, without tests.
func parsed(t *testing.T, dir string) (list []*ast.File) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(root, dir))
	require.NoError(t, err)
	for _, e := range entries {
		if name := e.Name(); strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") {
			f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, dir, name), nil,
				parser.SkipObjectResolution)
			require.NoError(t, err)
			list = append(list, f)
		}
	}
	require.NotEmpty(t, list, dir)
	return list
}

// literals returns the strings in the source of a package.
func literals(t *testing.T, dir string) (list []string) {
	for _, f := range parsed(t, dir) {
		ast.Inspect(f, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				s, err := strconv.Unquote(lit.Value)
				require.NoError(t, err)
				list = append(list, s)
			}
			return true
		})
	}
	return list
}

// exported returns the exported names of a package, methods as in T.Assume.
func exported(t *testing.T, dir string) map[string]bool {
	names := map[string]bool{}
	for _, f := range parsed(t, dir) {
		for _, decl := range f.Decls {
			switch d := decl.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil {
					names[d.Name.Name] = true
				} else if typ := receiver(d.Recv.List[0].Type); typ != "" {
					names[typ+"."+d.Name.Name] = true
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					switch s := spec.(type) {
					case *ast.TypeSpec:
						names[s.Name.Name] = true
					case *ast.ValueSpec:
						for _, name := range s.Names {
							names[name.Name] = true
						}
					}
				}
			}
		}
	}
	return names
}

func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}

var identifierForm = regexp.MustCompile(
	`\b(api|bias|bigen|bigentest|callseq|combinations|enumerate|linear|choices|varied|fuzzext|mutate|` +
		`predict|rl|tune)\.([A-Z]\w*)`)

// The identifiers that the guide names exist.
func TestIdentifiers(t *testing.T) {
	t.Parallel()
	names := map[string]map[string]bool{}
	for _, dir := range packages {
		names[filepath.Base(dir)] = exported(t, dir)
	}
	for _, p := range guide(t) {
		for i, line := range p.lines {
			for _, m := range identifierForm.FindAllStringSubmatch(line, -1) {
				if !names[m[1]][m[2]] {
					t.Errorf("%s:%d: there is no %s", p.path, i+1, m[0])
				}
			}
		}
	}
	for _, name := range []string{"T.Assume", "T.Label", "T.Skip"} {
		require.True(t, names["fuzzext"][name], name)
	}
}

// The comment of the root package and the chapter How it works name all public packages.
func TestPackages(t *testing.T) {
	t.Parallel()
	const module = "github.com/espalier-go/espalier/"
	root, chapter := readPage(t, "doc.go").text(), readPage(t, "docs/how-it-works.md").text()
	seen := map[string]bool{}
	for _, path := range files(t, ".go") {
		dir := filepath.ToSlash(filepath.Dir(path))
		first, _, _ := strings.Cut(dir, "/")
		if seen[dir] || dir == "." ||
			slices.Contains([]string{"bench", "cmd", "contrib", "eval", "examples"}, first) ||
			slices.Contains(strings.Split(dir, "/"), "internal") {
			continue
		}
		seen[dir] = true
		if !strings.Contains(root, "["+module+dir+"]") {
			t.Errorf("doc.go does not name the package %s", dir)
		}
		if !strings.Contains(chapter, "| ["+dir+"](") {
			t.Errorf("docs/how-it-works.md does not name the package %s", dir)
		}
	}
}

// The guide mentions what a user can set.
func TestMentioned(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	for _, p := range guide(t) {
		if strings.HasPrefix(p.path, "docs/") && strings.HasSuffix(p.path, ".md") {
			text.WriteString(p.text())
		}
	}
	mention := func(what string) {
		t.Helper()
		if !regexp.MustCompile(regexp.QuoteMeta(what) + `\b`).MatchString(text.String()) {
			t.Errorf("no page of docs mentions %s", what)
		}
	}
	for _, dir := range []string{"fuzzext", "bigen"} {
		for _, name := range optionsOf(t, dir) {
			mention(name)
		}
	}
	for name := range exported(t, "fuzzext") {
		if ast.IsExported(name) && !strings.Contains(name, ".") && name != "Option" {
			mention(name)
		}
	}
	for flag := range testFlags(t) {
		mention("-" + flag)
	}
	for name, flags := range subcommands(t) {
		mention("corpusgen " + name)
		for flag := range flags {
			mention("`-" + flag)
		}
	}
}

// optionsOf returns the functions of a package that return an option.
func optionsOf(t *testing.T, dir string) (names []string) {
	for _, f := range parsed(t, dir) {
		for _, decl := range f.Decls {
			d, ok := decl.(*ast.FuncDecl)
			if !ok || !d.Name.IsExported() || d.Type.Results.NumFields() != 1 {
				continue
			}
			if typ, ok := d.Type.Results.List[0].Type.(*ast.Ident); ok &&
				strings.HasSuffix(typ.Name, "Option") && typ.IsExported() {
				names = append(names, d.Name.Name)
			}
		}
	}
	require.NotEmpty(t, names)
	return names
}

// testFlags returns the flags of test binaries with fuzzext.
func testFlags(t *testing.T) map[string]bool {
	flags := map[string]bool{}
	for _, s := range literals(t, "fuzzext") {
		if regexp.MustCompile(`^fuzzext\.[a-z]+$`).MatchString(s) {
			flags[s] = true
		}
	}
	require.Contains(t, flags, "fuzzext.checks")
	return flags
}

var (
	usageForm = regexp.MustCompile(`^usage: corpusgen ([\w-]+)`)
	flagForm  = regexp.MustCompile(`(?m)^\t-(\w+)`)
)

// subcommands returns the flags of corpusgen's commands, as their usage texts list them.
func subcommands(t *testing.T) map[string]map[string]bool {
	commands := map[string]map[string]bool{}
	for _, s := range usages(t) {
		if m := usageForm.FindStringSubmatch(s); m != nil {
			flags := map[string]bool{}
			for _, f := range flagForm.FindAllStringSubmatch(s, -1) {
				flags[f[1]] = true
			}
			commands[m[1]] = flags
		}
	}
	require.Contains(t, commands, "seed")
	require.Contains(t, commands["fuzz"], "keepgoing")
	return commands
}

// usages returns the usage texts of corpusgen: files, and parts of them. What code puts into them
// is not known.
func usages(t *testing.T) (list []string) {
	var words func(path string) string
	words = func(path string) string {
		b, err := os.ReadFile(path)
		if os.IsNotExist(err) {
			return "" // what a part stands for is made by code
		}
		require.NoError(t, err)
		return regexp.MustCompile(`{{(\w+)}}`).ReplaceAllStringFunc(string(b), func(part string) string {
			return words(filepath.Join(filepath.Dir(path), strings.Trim(part, "{}")+".part"))
		})
	}
	files, err := filepath.Glob(filepath.Join(root, "cmd/corpusgen/usage/*.txt"))
	require.NoError(t, err)
	for _, path := range files {
		list = append(list, words(path))
	}
	return list
}
