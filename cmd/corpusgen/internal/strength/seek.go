package strength

import (
	"cmp"
	"context"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/apigen"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/apitest"
)

// A lead is what a search for a test has found about a survivor.
type lead struct {
	Test  string // the name of a test that notices it, or ""
	Code  string // the function
	Says  string // what it prints if the mistake is made
	Tries int    // sequences of calls that have run with the mistake
	Found bool   // one of these tells it apart
	Ends  bool   // one of these has ended the process
}

// Names of the files with the tests that are found, and with types that they need.
const (
	soughtFile    = "espalier_sought_test.go"
	elsewhereFile = "espalier_elsewhere_test.go"
	stubFile      = "callseq_stub_test.go"
)

// seek seeks tests that notice the survivors of the package, and that a user has not accepted.
func (d *docket) seek(ctx context.Context) error {
	wanted := map[string]bool{}
	for _, j := range d.list {
		if j.Verdict == survives && !d.accepted.known[j.ID] {
			wanted[j.ID] = true
		}
	}
	limit := d.seeking
	if d.time > 0 {
		limit = min(limit, d.time-time.Duration(d.spent.Load()))
	}
	if len(wanted) == 0 || d.over() || limit <= 0 {
		return nil
	}
	d.Status("%s: seeking tests that notice %d mistakes", d.pkg.ImportPath, len(wanted))
	told, err := apitest.Tell(ctx, apitest.Search{
		Output: d.Output, Flags: d.flags, Env: d.env, Tmp: d.dir, Cache: filepath.Dir(d.cache),
		Time: limit, Package: d.pkg.ImportPath, Wanted: wanted, Taken: d.tests.listed,
	})
	switch {
	case errors.Is(err, apigen.ErrNoAPI):
		return nil
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		d.note("no tests are sought: " + err.Error())
		return nil
	}
	d.sought = told
	d.spent.Add(int64(told.CPU))
	for i := range d.list {
		if j := &d.list[i]; wanted[j.ID] {
			j.lead = &lead{
				Tries: told.Tries[j.ID], Found: slices.Contains(told.Found, j.ID),
				Ends: slices.Contains(told.Ends, j.ID),
			}
		}
	}
	return d.prove(ctx, told)
}

// prove runs the tests that are found, each without a mistake, and with those that it notices.
func (d *docket) prove(ctx context.Context, told *apitest.Told) error {
	if len(told.Tests) == 0 {
		return nil
	}
	texts := maps.Clone(d.texts)
	texts[filepath.Join(d.pkg.Dir, soughtFile)] = told.Text
	texts[filepath.Join(d.pkg.Dir, elsewhereFile)] = apitest.Elsewhere(told.Text)
	if told.Stubs != nil {
		texts[filepath.Join(d.pkg.Dir, stubFile)] = told.Stubs
	}
	p := *d.program
	binary, err := p.link(ctx, "sought", texts)
	if err != nil {
		return cmp.Or(context.Cause(ctx), err)
	}
	p.binary, p.tests = binary, &tests{}
	code := functions(told.Text)
	byID := map[string]*judgment{}
	for i := range d.list {
		byID[d.list[i].ID] = &d.list[i]
	}
	c := &court{program: &p}
	return p.each(ctx, len(told.Tests), func(i int) error {
		t := told.Tests[i]
		r, err := p.twice(ctx, t.Name)
		if err != nil || r.passed < 2 {
			return err
		}
		usual := testOf(t.Name, r.outcome).cost
		o, err := p.process(ctx, task{tests: []string{apitest.InElsewhere(t.Name)}, usual: &usual})
		if err != nil || !o.passed && said.MatchString(o.output) {
			return err
		}
		for _, id := range t.Notices {
			j := byID[id]
			o, err := c.inProcess(ctx, j.Number, []string{t.Name}, usual)
			if err != nil {
				return err
			}
			if !o.passed && !o.late {
				j.lead.Test, j.lead.Code, j.lead.Says = t.Name, code[t.Name], o.says()
			}
		}
		return nil
	})
}

// functions returns the text of each function of a Go file, without comments before it.
func functions(text []byte) map[string]string {
	code, set := map[string]string{}, token.NewFileSet()
	f, err := parser.ParseFile(set, "", text, parser.SkipObjectResolution)
	if err != nil {
		return code
	}
	for _, decl := range f.Decls {
		if fn, ok := decl.(*ast.FuncDecl); ok {
			code[fn.Name.Name] = string(text[set.Position(fn.Pos()).Offset:set.Position(fn.End()).Offset])
		}
	}
	return code
}

// said matches what a test prints that fails, and ended how a process has ended.
var (
	said  = regexp.MustCompile(`(?m)^ +` + regexp.QuoteMeta(soughtFile) + `:\d+: (.*)$`)
	ended = regexp.MustCompile(`(?m)^\t?(panic: .*?|fatal error: .*?)( \[recovered.*)?$`)
)

// says returns what a test that has failed has printed first, or how it has ended.
func (o outcome) says() string {
	for _, pattern := range []*regexp.Regexp{said, ended} {
		if m := pattern.FindStringSubmatch(o.output); m != nil {
			return strings.TrimSpace(m[1])
		}
	}
	return o.why()
}
