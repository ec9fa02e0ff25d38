package apigen

import (
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"path"
	"regexp"
	"strconv"
	"strings"
)

// What stands between these lines is rewritten. All else is the user's.
const (
	begin = "// corpusgen api: begin. The next run rewrites what follows, up to the end."
	end   = "// corpusgen api: end."
	skip  = "// corpusgen api: -skip "
)

// ErrForeign says that there is a file which corpusgen has not written.
var ErrForeign = errors.New("it lacks the lines between which corpusgen api writes")

// Recorded returns the regular expression of Options.Skip with which a harness was written.
func Recorded(old []byte) string {
	for line := range strings.Lines(string(old)) {
		if text, ok := strings.CutPrefix(strings.TrimSpace(line), skip); ok {
			return text
		}
	}
	return ""
}

// Write returns the Go file of the harness. What the user has changed in old, the file as it
// is now, outside of the lines that corpusgen writes, stays. old is nil if there is no file.
// The error is ErrForeign if old is not of corpusgen.
func (h *Harness) Write(old []byte) (written []byte, err error) {
	defer func() {
		h.find(string(written))
		h.Extended = strings.Contains(OwnText(string(written)), ".Op(")
		h.note(string(written))
	}()
	if len(strings.TrimSpace(string(old))) == 0 {
		return h.file(h.whole(), nil)
	}
	text := string(old)
	from, to := strings.Index(text, begin), strings.LastIndex(text, end)
	if from < 0 || to < from {
		return nil, ErrForeign
	}
	was, err := parser.ParseFile(token.NewFileSet(), "", old, parser.ImportsOnly)
	if err != nil {
		return nil, err
	}
	return h.file(text[:from]+h.marked()+text[to+len(end):], was.Imports)
}

// whole returns a new file, without imports.
func (h *Harness) whole() string {
	calls, test, fuzz := "calls", "TestCalls", "FuzzCalls"
	if h.owns != "" {
		calls, test, fuzz = "apiCalls", "TestAPICalls", "FuzzAPICalls"
	}
	text := fmt.Sprintf(`package %s_test

import ()

// %s has the exported functions, methods and fields of package %s as operations.
var %s = api.New(func(c *api.C) {
	%s
})

func %s(t *testing.T) { fuzzext.Sequence(t, %s, fuzzext.Timeout(10*time.Second)) }

func %s(f *testing.F) { fuzzext.Sequence(f, %s) }
`, h.pkg.Name, calls, h.pkg.Name, calls, h.marked(), test, calls, fuzz, calls)
	if h.multi && h.pkg.linear {
		text += "\n// " + h.concurrentTest() + " makes calls at once, of values that are " +
			"api.Concurrent. Run it by corpusgen test.\n" + h.concurrent(calls) + "\n"
	}
	return text
}

// concurrentTest is the name of the test of calls at once.
func (h *Harness) concurrentTest() string { return "Test" + h.owns + "ConcurrentCalls" }

// concurrent returns the test of calls at once, of a variable.
func (h *Harness) concurrent(calls string) string {
	return "func " + h.concurrentTest() + "(t *testing.T) { " +
		"fuzzext.Sequence(t, linear.Of(" + calls + "), fuzzext.Schedules()) }"
}

// OwnText returns what the user has written after the lines that are rewritten.
func OwnText(text string) string { return text[max(0, strings.LastIndex(text, end)):] }

// note says why a file has no test of calls at once, if it should have one, and what to do.
func (h *Harness) note(text string) {
	test := h.concurrentTest()
	switch {
	case !h.multi:
	case !h.values && !strings.Contains(OwnText(text), ".Result()"):
		h.Note = fmt.Sprintf("no function returns a value that is api.Concurrent, so %s has nothing to "+
			"call: declare an operation that makes one, after the line %q", test, end)
	case strings.Contains(text, "linear.Of("):
	case !h.pkg.linear:
		h.Note = fmt.Sprintf("no %s: the tests of %s cannot import %s: %s. Then run this again",
			test, h.pkg.Path, linearPath, goGet(linearPath))
	case h.Calls != "":
		h.Note = "no test of calls at once: to have one, add this line, and then run this again, " +
			"for the import: " + h.concurrent(h.Calls)
	}
}

// marked returns the lines between the markers, and these.
func (h *Harness) marked() string {
	var b strings.Builder
	b.WriteString(begin + "\n")
	if h.opts.Skip != nil {
		b.WriteString(skip + h.opts.Skip.String() + "\n")
	}
	if len(h.Left) > 0 {
		b.WriteString("\n// Left out:\n")
		for _, l := range h.Left {
			fmt.Fprintf(&b, "//   - %s: %s\n", l.Name, strings.ReplaceAll(l.Why, "\n", " "))
		}
	}
	b.WriteString("\n" + h.body + "\n" + end)
	return b.String()
}

// file sets the imports of a file to those that it uses. It has had some of them before.
func (h *Harness) file(text string, had []*ast.ImportSpec) ([]byte, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", text, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	used := map[string]bool{}
	for _, x := range f.Unresolved {
		used[x.Name] = true
	}
	all := map[string]string{} // lines by the name of the package
	for p, name := range h.names {
		all[name] = importLine(name, p)
	}
	lines := map[string]bool{}
	for _, s := range had {
		p, _ := strconv.Unquote(s.Path.Value)
		switch {
		case s.Name != nil && (s.Name.Name == "_" || s.Name.Name == "."):
			lines[s.Name.Name+" "+s.Path.Value] = true
		case s.Name != nil:
			all[s.Name.Name] = importLine(s.Name.Name, p)
		case h.names[p] == "":
			all[lastElement(p)] = strconv.Quote(p)
		}
	}
	for name, line := range all {
		if used[name] {
			lines[line] = true
		}
	}
	var groups [2]string // of the standard library, and others
	for line := range lines {
		domain, _, _ := strings.Cut(line[strings.IndexByte(line, '"'):], "/")
		groups[boolInt(strings.Contains(domain, "."))] += line + "\n"
	}
	block := "import (\n" + groups[0] + "\n" + groups[1] + ")" // formatting sorts them
	from, to := len(text), 0                                   // of the imports that are there
	for _, d := range f.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT {
			from, to = min(from, fset.Position(g.Pos()).Offset), max(to, fset.Position(g.End()).Offset)
		}
	}
	if to == 0 {
		from = fset.Position(f.Name.End()).Offset
		to, block = from, "\n\n"+block
	}
	return format.Source([]byte(text[:from] + block + text[to:]))
}

func importLine(name, p string) string {
	if path.Base(p) == name {
		return strconv.Quote(p)
	}
	return name + " " + strconv.Quote(p)
}

var version = regexp.MustCompile(`^v[0-9]+$`)

// lastElement guesses the name of a package from its path.
func lastElement(p string) string {
	name := path.Base(p)
	if version.MatchString(name) {
		name = path.Base(path.Dir(p))
	}
	name = strings.TrimPrefix(name, "go-")
	name, _, _ = strings.Cut(name, ".")
	return name
}
