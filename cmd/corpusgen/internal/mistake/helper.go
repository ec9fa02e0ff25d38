package mistake

import (
	"embed"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/loader"
)

// helpers are the files that are added to a package with mistakes.
//
//go:embed runtime/helpers.go runtime/select.go runtime/limit_unix.go runtime/limit_other.go
//go:embed linked/linked.go
var helpers embed.FS

// standalone are the files for a process that is told which mistake to make, and linked those for
// one in which another package says so.
var (
	standalone = []string{
		"runtime/helpers.go", "runtime/limit_other.go", "runtime/limit_unix.go", "runtime/select.go",
	}
	linked = []string{"runtime/helpers.go", "linked/linked.go"}
)

// Imports are the packages that these import.
var Imports = []string{"os", "runtime/debug", "strconv", "strings", "sync", "sync/atomic", "syscall"}

// Variable is the environment variable by which a process is told which mistake to make.
const Variable = "ESPALIER_MISTAKE"

// Endless is the status of a process in which a loop has taken more turns than it may.
const Endless = 86

// An Order is what a process is told.
type Order struct {
	Number  int    // of the mistake, 0 for none
	Turns   int64  // of all loops; 0 for any number
	Seconds int64  // of CPU time; 0 for any
	Bytes   int64  // of data; 0 for any
	File    string // is told what is reached, and how many turns there are; or ""
}

// How much more than without it a process may take with a mistake.
const (
	moreTurns  = 40
	moreCPU    = 10
	moreMemory = 4

	anyTurns  = 1 << 20
	anyCPU    = 5 * time.Second
	anyMemory = 1 << 30
)

// Within returns the order with bounds of a process that takes so much without a mistake.
func (o Order) Within(turns int64, cpu time.Duration, memory int64) Order {
	o.Turns = moreTurns*turns + anyTurns
	o.Seconds = int64((moreCPU*cpu + anyCPU) / time.Second)
	o.Bytes = moreMemory*memory + anyMemory
	return o
}

// Text returns the value of [Variable].
func (o Order) Text() string {
	text := fmt.Sprintf("%s=%d %d %d %d", Variable, o.Number, o.Turns, o.Seconds, o.Bytes)
	if o.File != "" {
		text += " " + o.File
	}
	return text
}

// Told returns what a file has been told: which mistakes have been reached, and how many turns there
// have been at least.
func Told(text []byte) (reached map[int]bool, turns int64) {
	reached = map[int]bool{}
	for line := range strings.Lines(string(text)) {
		var what string
		var n int64
		if _, err := fmt.Sscan(line, &what, &n); err != nil {
			continue // the process has ended within a line
		}
		if what == "reached" {
			reached[int(n)] = true
		} else {
			turns = max(turns, n)
		}
	}
	return reached, turns
}

var packageClause = regexp.MustCompile(`(?m)^package (runtime|linked)$`)

// Helpers returns files for the package, by name, that has so many mistakes. All names that they
// declare or use have the prefix.
func (p *Package) Helpers(mistakes int) map[string][]byte {
	name := "package " + p.Files[0].Syntax.Name.Name
	files := map[string][]byte{}
	list := standalone
	if p.Linked != "" {
		list = linked
	}
	for _, file := range list {
		b, err := helpers.ReadFile(file)
		if err != nil {
			panic(err) // it is part of the program
		}
		text := packageClause.ReplaceAllLiteralString(string(b), name)
		text = strings.ReplaceAll(text, "espalier", p.Prefix)
		text = strings.ReplaceAll(text, " path/to.", " "+p.Linked+".")
		files["espalier_mistake_"+path.Base(file)] = []byte(text)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "//go:build go1.18\n\n%s\n\nconst %sMistakes = %d\n", name, p.Prefix, mistakes)
	for _, s := range slices.SortedFunc(maps.Keys(p.swaps),
		func(a, b [3]int) int { return slices.Compare(a[:], b[:]) }) {
		b.WriteString(p.swapFunc(s[0], s[1], s[2]))
	}
	files["espalier_mistake_number.go"] = []byte(b.String())
	return files
}

// Shadowed returns a predeclared name that the files of a package, which may be tests, declare for all
// of it, although the helpers need it, or "". Such a package cannot have mistakes.
func Shadowed(files []loader.File) string {
	needed := map[string]bool{}
	for _, text := range (&Package{Files: files, Prefix: "espalier"}).Helpers(0) {
		f, err := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution)
		if err != nil {
			panic(err) // it is part of the program
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				return false // none has one before its dot
			case *ast.Ident:
				needed[n.Name] = types.Universe.Lookup(n.Name) != nil
			}
			return true
		})
	}
	for _, f := range files {
		for _, decl := range f.Syntax.Decls {
			for _, name := range declared(decl) {
				if needed[name] {
					return name
				}
			}
		}
	}
	return ""
}

// declared returns the names that a declaration declares for its package.
func declared(decl ast.Decl) (names []string) {
	if f, ok := decl.(*ast.FuncDecl); ok && f.Recv == nil {
		return []string{f.Name.Name}
	}
	if g, ok := decl.(*ast.GenDecl); ok {
		for _, spec := range g.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				names = append(names, spec.Name.Name)
			case *ast.ValueSpec:
				for _, id := range spec.Names {
					names = append(names, id.Name)
				}
			}
		}
	}
	return names
}

// swapFunc returns a function that returns its arguments, of which those at i and j, of one type, may
// change places.
func (p *Package) swapFunc(of, i, j int) string {
	kinds, params, results, swapped := []string{"T"}, "", []string{}, []string{}
	var kept []string
	for k := range of {
		kind := "T"
		if k != i && k != j {
			kind = fmt.Sprint("T", k)
			kinds = append(kinds, kind)
		}
		params += fmt.Sprintf(", a%d %s", k, kind)
		results = append(results, kind)
		kept = append(kept, fmt.Sprint("a", k))
		swapped = append(swapped, fmt.Sprint("a", map[int]int{i: j, j: i}[k]))
		if k != i && k != j {
			swapped[k] = kept[k]
		}
	}
	return fmt.Sprintf("\nfunc %s[%s interface{}](n int%s) (%s) {\n\tif %sMistake(n) {\n"+
		"\t\treturn %s\n\t}\n\treturn %s\n}\n",
		p.swapName(of, i, j), strings.Join(kinds, ", "), params, strings.Join(results, ", "), p.Prefix,
		strings.Join(swapped, ", "), strings.Join(kept, ", "))
}
