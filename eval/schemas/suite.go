package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"
)

var (
	newer = module{"github.com/google/jsonschema-go", "v0.4.3",
		"h1:/DBOLZTfDow7pe2GmaJNhltueGTtDKICi8V8p+DQPd0="}
	whole = module{"github.com/kaptinlin/jsonschema", "v0.9.8",
		"h1:srpfx2MAm4ecYz0zJLbz6fiW+UXiuv+vGhUqZUIWmrg="}
	drafts = module{"github.com/santhosh-tekuri/jsonschema/v6", "v6.0.3",
		"h1:1EYB5IzjZawrrnELUi78f9fPu57HuXjmddZPjrls/28="}
)

// parts are the parts of the suite. The first module has newer files, but lacks some.
var parts = []part{
	{"2020-12", 2020, newer, "jsonschema/testdata/draft2020-12", nil},
	{"2020-12", 2020, whole, wholeTests + "draft2020-12",
		[]string{"content.json", "format.json", "vocabulary.json"}},
	{"2019-09", 2019, whole, wholeTests + "draft2019-09", nil},
	{"7", 7, newer, "jsonschema/testdata/draft7", nil},
	{"6", 6, whole, wholeTests + "draft6", nil},
	{"4", 4, whole, wholeTests + "draft4", nil},
}

const wholeTests = "testdata/JSON-Schema-Test-Suite/tests/"

// A part is the files of a draft in a module, or some of them.
type part struct {
	name   string
	draft  int
	module module
	dir    string
	files  []string // nil: all
}

// A group is a schema of a file of the suite, with instances.
type group struct {
	file        string
	Description string
	Schema      json.RawMessage
	Tests       []instance
}

// suite measures what the suite has.
func suite(ctx context.Context, w *worker, p *printer, o options) error {
	dirs := map[module]string{}
	for _, m := range []module{newer, whole, drafts} {
		dir, err := m.dir(ctx)
		if err != nil {
			return err
		}
		dirs[m] = dir
	}
	p.row("draft", "source", "schemas", "accepted", "unsatisfiable", "refused though satisfiable",
		"no remote file", "valid instances made", "invalid refused", "values made", "values invalid",
		"validators disagree", "schemas with fewer values", "CPU s")
	for _, part := range parts {
		if !o.draft.MatchString(part.name) {
			continue
		}
		groups, err := part.groups(dirs[part.module])
		if err != nil {
			return err
		}
		var t tally
		for _, g := range groups {
			if !o.only.MatchString(g.file + " " + g.Description) {
				continue
			}
			j := job{Schema: string(g.Schema), Draft: part.draft, Second: true, Instances: g.Tests,
				Values: o.values, Seed: o.seed, Remotes: part.remotes(dirs)}
			r, err := w.run(ctx, j)
			if err != nil {
				return fmt.Errorf("%s: %s: %w", g.file, g.Description, err)
			}
			t.add(g, j, r)
		}
		t.print(p, part)
	}
	return nil
}

// groups reads the files of a part.
func (p part) groups(dir string) (all []group, err error) {
	files, err := filepath.Glob(filepath.Join(dir, p.dir, "*.json"))
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("%s has no tests in %s", p.module, p.dir)
	}
	for _, file := range files {
		name := filepath.Base(file)
		if p.files != nil && !slices.Contains(p.files, name) {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		var groups []group
		if err := json.Unmarshal(text, &groups); err != nil {
			return nil, fmt.Errorf("%s: %s: %w", p.module, name, err)
		}
		for _, g := range groups {
			g.file = name
			all = append(all, g)
		}
	}
	return all, err
}

// remotes returns the files of the suite, its own module's first, and those that define the drafts.
func (p part) remotes(dirs map[module]string) remotes {
	const suite = "http://localhost:1234/"
	all := remotes{
		{suite, filepath.Join(dirs[newer], "jsonschema/testdata/remotes") + "/", ""},
		{suite, filepath.Join(dirs[whole], wholeTests, "../remotes") + "/", ""},
	}
	if p.module == whole {
		slices.Reverse(all)
	}
	return append(all, standard(dirs[drafts])...)
}

// standard returns the files that define the drafts.
func standard(dir string) remotes {
	dir = filepath.Join(dir, "metaschemas") + "/"
	return remotes{{"http://json-schema.org/", dir, ""}, {"https://json-schema.org/", dir, ""}}
}

// A tally counts what became of the schemas of a part.
type tally struct {
	schemas, accepted, unsatisfiable, refused, noRemote int
	valid, made, invalid, kept                          int // instances
	values, wrong, disagreed, few                       int
	cpu                                                 time.Duration
	failures, notes                                     [][]string
}

func (t *tally) add(g group, j job, r result) {
	satisfiable := slices.ContainsFunc(g.Tests, func(i instance) bool { return i.Valid })
	fail := func(what string) { t.failures = append(t.failures, []string{g.file, g.Description, "", what}) }
	note := func(what string) { t.notes = append(t.notes, []string{g.file, g.Description, "", what}) }
	t.schemas, t.cpu = t.schemas+1, t.cpu+r.CPU
	if r.Refused != "" && r.NoRemote != "" {
		t.noRemote++
		note("no remote file " + r.NoRemote + ": " + r.Refused)
		return
	}
	for _, failure := range []struct{ kind, what string }{{"died", r.Died}, {"slow", r.Slow}, {"panic", r.Panic}} {
		if failure.what != "" {
			fail(failure.kind + ": " + failure.what)
		}
	}
	t.values, t.wrong, t.disagreed = t.values+r.Made, t.wrong+r.Invalid, t.disagreed+r.Disagreed
	switch {
	case r.Refused != "" && satisfiable:
		t.refused++
		fail("refused though satisfiable: " + r.Refused)
	case r.Refused != "":
		t.unsatisfiable++
		note("refused, and the suite has no valid instance: " + r.Refused)
	case r.Accepted:
		t.accepted++
		if r.Made < j.Values {
			t.few++
			note(fmt.Sprintf("only %d values: %d runs were rejected", r.Made, r.Rejected))
		}
	}
	for i, test := range g.Tests {
		what := "not tried" // the schema was refused, which is a failure of its own
		if i < len(r.Instances) {
			if what = r.Instances[i]; what != "" {
				t.failures = append(t.failures, []string{g.file, g.Description, test.Description, what})
			}
		}
		fine := map[bool]int{true: 1}[what == "" || r.Refused != "" && !satisfiable]
		if test.Valid {
			t.valid, t.made = t.valid+1, t.made+fine
		} else {
			t.invalid, t.kept = t.invalid+1, t.kept+fine
		}
	}
	for _, what := range r.Failures {
		fail(what)
	}
	for _, what := range r.Disagree {
		note("the validators disagree: " + what)
	}
	for _, what := range r.Misjudged {
		note("the validators and the test disagree: " + what)
	}
	if r.NoValidator != "" {
		note(r.NoValidator)
	}
}

func (t *tally) print(p *printer, part part) {
	p.row(part.name, part.module, t.schemas, t.accepted, t.unsatisfiable, t.refused, t.noRemote,
		fmt.Sprintf("%d / %d", t.made, t.valid), fmt.Sprintf("%d / %d", t.kept, t.invalid), t.values, t.wrong,
		t.disagreed, t.few, fmt.Sprintf("%.1f", t.cpu.Seconds()))
	for _, cells := range t.failures {
		p.fail(append([]string{"FAIL"}, cells...)...)
	}
	for _, cells := range t.notes {
		p.note(append([]string{"note"}, cells...)...)
	}
}
