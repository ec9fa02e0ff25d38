// Package mod has bugs of golang.org/x/mod.
package mod

import (
	"fmt"
	"maps"
	"slices"

	"golang.org/x/mod/modfile"
	"pgregory.net/rapid"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq"
	"github.com/espalier-go/espalier/eval/bug"
)

const source = "hegeldev/hegel-zoo, targets/go/mod"

// Bugs are the bugs.
var Bugs = []bug.Bug{
	bug.NewSequences(bug.Sequences{
		Name:   "mod/3",
		Title:  "DropRetract does not drop what AddRetract has added",
		Source: source,
		Model:  retractCalls,
		Rapid:  rapidRetracts,
	}),
	bug.NewSequences(bug.Sequences{
		Name:   "mod/4",
		Title:  "SetRequire panics after a requirement was dropped, until Cleanup",
		Source: source,
		Model:  requireCalls,
		Rapid:  rapidRequires,
	}),
	bug.NewSequences(bug.Sequences{
		Name:   "mod/9",
		Title:  "Cleanup keeps the cleared entries of tools and ignored directories",
		Source: source,
		Model:  toolCalls,
		Rapid:  rapidTools,
	}),
	bug.NewSequences(bug.Sequences{
		Name:   "mod/10",
		Title:  "AddReplace of any version keeps the version of the replacement that it updates",
		Source: source,
		Model:  replaceCalls,
		Rapid:  rapidReplaces,
	}),
}

// What the calls are given.
var (
	paths     = []string{"example.com/a", "example.com/b", "example.com/c", "example.com/d"}
	versions  = []string{"v1.0.0", "v1.1.0", "v1.2.0"}
	dirs      = []string{"./a", "./b", "./c", "./d"}
	intervals = []modfile.VersionInterval{
		{Low: "v1.0.0", High: "v1.0.0"}, {Low: "v1.0.0", High: "v1.2.0"},
		{Low: "v1.1.0", High: "v1.1.0"}, {Low: "v1.1.0", High: "v1.2.0"},
	}
	rationales = []string{"", "bad", "worse\nthan bad"}
	targets    = []target{{"./a", ""}, {"./b", ""}, {"example.com/b", "v1.0.0"},
		{"example.com/b", "v1.1.0"}}
	olds = []string{"", "v1.0.0", "v1.1.0"} // any version, or one
)

// A target is what a replacement replaces a module by.
type target struct{ Path, Version string }

const header = "module example.com/m\n\ngo 1.26\n"

func parse(text string) *modfile.File {
	f, err := modfile.Parse("go.mod", []byte(text), nil)
	if err != nil {
		panic(err)
	}
	return f
}

// disagree returns what is wrong with the text of a file, whose entries got lists.
func disagree(f *modfile.File, got func(f *modfile.File) []string, want []string) string {
	text := string(modfile.Format(f.Syntax))
	back, err := modfile.Parse("go.mod", []byte(text), nil)
	if err != nil {
		return fmt.Sprintf("%v in\n%s", err, text)
	}
	list, want := got(back), slices.Sorted(slices.Values(want))
	if slices.Sort(list); !slices.Equal(list, want) {
		return fmt.Sprintf("%q, want %q", list, want)
	}
	return ""
}

// The requirements.

func requirements(f *modfile.File) (list []string) {
	for _, r := range f.Require {
		list = append(list, r.Mod.String())
	}
	return list
}

func versioned(m map[string]string) (list []string) {
	for path, version := range m {
		list = append(list, path+"@"+version)
	}
	return list
}

func setRequire(f *modfile.File, m map[string]string) {
	var req []*modfile.Require
	for _, path := range slices.Sorted(maps.Keys(m)) {
		r := &modfile.Require{}
		r.Mod.Path, r.Mod.Version = path, m[path]
		req = append(req, r)
	}
	f.SetRequire(req)
}

var requireCalls = callseq.New(func(c *callseq.C) {
	var f *modfile.File
	want := map[string]string{}
	c.Do(func() { f = parse(header) })
	c.Op("f.AddRequire", func() {
		path, version := callseq.Arg(c, "path", bigen.OneOf(paths...)),
			callseq.Arg(c, "version", bigen.OneOf(versions...))
		want[path] = version
		c.Do(func() { f.AddRequire(path, version) })
	})
	c.Op("f.DropRequire", func() {
		path := callseq.Arg(c, "path", bigen.OneOf(paths...))
		delete(want, path)
		c.Do(func() { f.DropRequire(path) })
	})
	c.Op("f.SetRequire", func() {
		m := callseq.Arg(c, "m", bigen.MapOf(bigen.OneOf(paths...), bigen.OneOf(versions...), 0, 3))
		want = maps.Clone(m)
		if want == nil {
			want = map[string]string{}
		}
		c.Do(func() { setRequire(f, m) })
	})
	c.Op("f.Cleanup", func() { c.Do(func() { f.Cleanup() }) })
	c.Invariant(func() {
		if what := disagree(f, requirements, versioned(want)); what != "" {
			c.Errorf("%s", what)
		}
	})
})

func rapidRequires(t *rapid.T, calls *int) {
	f := parse(header)
	want := map[string]string{}
	t.Repeat(map[string]func(*rapid.T){
		"AddRequire": func(t *rapid.T) {
			*calls++
			path, version := rapid.SampledFrom(paths).Draw(t, "path"),
				rapid.SampledFrom(versions).Draw(t, "version")
			want[path] = version
			f.AddRequire(path, version)
		},
		"DropRequire": func(t *rapid.T) {
			*calls++
			path := rapid.SampledFrom(paths).Draw(t, "path")
			delete(want, path)
			f.DropRequire(path)
		},
		"SetRequire": func(t *rapid.T) {
			*calls++
			m := rapid.MapOfN(rapid.SampledFrom(paths), rapid.SampledFrom(versions), 0, 3).Draw(t, "m")
			want = maps.Clone(m)
			setRequire(f, m)
		},
		"Cleanup": func(t *rapid.T) {
			*calls++
			f.Cleanup()
		},
		"": func(t *rapid.T) {
			if what := disagree(f, requirements, versioned(want)); what != "" {
				t.Fatal(what)
			}
		},
	})
}

// The retractions.

func retractions(f *modfile.File) (list []string) {
	for _, r := range f.Retract {
		list = append(list, r.Low+" to "+r.High)
	}
	return list
}

func written(intervals []modfile.VersionInterval) (list []string) {
	for _, v := range intervals {
		list = append(list, v.Low+" to "+v.High)
	}
	return list
}

func without[A comparable](s []A, x A) []A {
	return slices.DeleteFunc(s, func(y A) bool { return y == x })
}

var retractCalls = callseq.New(func(c *callseq.C) {
	var f *modfile.File
	var want []modfile.VersionInterval
	c.Do(func() { f = parse(header) })
	c.Op("f.AddRetract", func() {
		v, rationale := callseq.Arg(c, "v", bigen.OneOf(intervals...)),
			callseq.Arg(c, "rationale", bigen.OneOf(rationales...))
		want = append(want, v)
		c.Do(func() { f.AddRetract(v, rationale) })
	})
	c.Op("f.DropRetract", func() {
		v := callseq.Arg(c, "v", bigen.OneOf(intervals...))
		want = without(want, v)
		c.Do(func() { f.DropRetract(v) })
	})
	c.Op("f.Cleanup", func() { c.Do(func() { f.Cleanup() }) })
	c.Invariant(func() {
		if what := disagree(f, retractions, written(want)); what != "" {
			c.Errorf("%s", what)
		}
	})
})

func rapidRetracts(t *rapid.T, calls *int) {
	f := parse(header)
	var want []modfile.VersionInterval
	t.Repeat(map[string]func(*rapid.T){
		"AddRetract": func(t *rapid.T) {
			*calls++
			v, rationale := rapid.SampledFrom(intervals).Draw(t, "v"),
				rapid.SampledFrom(rationales).Draw(t, "rationale")
			want = append(want, v)
			f.AddRetract(v, rationale)
		},
		"DropRetract": func(t *rapid.T) {
			*calls++
			v := rapid.SampledFrom(intervals).Draw(t, "v")
			want = without(want, v)
			f.DropRetract(v)
		},
		"Cleanup": func(t *rapid.T) {
			*calls++
			f.Cleanup()
		},
		"": func(t *rapid.T) {
			if what := disagree(f, retractions, written(want)); what != "" {
				t.Fatal(what)
			}
		},
	})
}

// The tools and the ignored directories.

// A cleaned is what a file lists after Cleanup.
type cleaned struct{ tools, ignores []string }

func (c *cleaned) set(list *[]string, x string, in bool) {
	if *list = without(*list, x); in {
		*list = append(*list, x)
	}
}

func (c *cleaned) disagree(f *modfile.File) string {
	var tools, ignores []string
	for _, t := range f.Tool {
		tools = append(tools, t.Path)
	}
	for _, i := range f.Ignore {
		ignores = append(ignores, i.Path)
	}
	for _, list := range [][2][]string{{tools, c.tools}, {ignores, c.ignores}} {
		if got, want := slices.Sorted(slices.Values(list[0])),
			slices.Sorted(slices.Values(list[1])); !slices.Equal(got, want) {
			return fmt.Sprintf("%q, want %q", got, want)
		}
	}
	return ""
}

var toolCalls = callseq.New(func(c *callseq.C) {
	var f *modfile.File
	var want cleaned
	c.Do(func() { f = parse(header) })
	c.Op("f.AddTool", func() {
		path := callseq.Arg(c, "path", bigen.OneOf(paths...))
		want.set(&want.tools, path, true)
		c.Do(func() { f.AddTool(path) })
	})
	c.Op("f.DropTool", func() {
		path := callseq.Arg(c, "path", bigen.OneOf(paths...))
		want.set(&want.tools, path, false)
		c.Do(func() { f.DropTool(path) })
	})
	c.Op("f.AddIgnore", func() {
		dir := callseq.Arg(c, "dir", bigen.OneOf(dirs...))
		want.set(&want.ignores, dir, true)
		c.Do(func() { f.AddIgnore(dir) })
	})
	c.Op("f.DropIgnore", func() {
		dir := callseq.Arg(c, "dir", bigen.OneOf(dirs...))
		want.set(&want.ignores, dir, false)
		c.Do(func() { f.DropIgnore(dir) })
	})
	c.Op("f.Cleanup", func() {
		c.Do(func() {
			if f.Cleanup(); want.disagree(f) != "" {
				c.Errorf("%s", want.disagree(f))
			}
		})
	})
})

func rapidTools(t *rapid.T, calls *int) {
	f := parse(header)
	var want cleaned
	t.Repeat(map[string]func(*rapid.T){
		"AddTool": func(t *rapid.T) {
			*calls++
			path := rapid.SampledFrom(paths).Draw(t, "path")
			want.set(&want.tools, path, true)
			f.AddTool(path)
		},
		"DropTool": func(t *rapid.T) {
			*calls++
			path := rapid.SampledFrom(paths).Draw(t, "path")
			want.set(&want.tools, path, false)
			f.DropTool(path)
		},
		"AddIgnore": func(t *rapid.T) {
			*calls++
			dir := rapid.SampledFrom(dirs).Draw(t, "dir")
			want.set(&want.ignores, dir, true)
			f.AddIgnore(dir)
		},
		"DropIgnore": func(t *rapid.T) {
			*calls++
			dir := rapid.SampledFrom(dirs).Draw(t, "dir")
			want.set(&want.ignores, dir, false)
			f.DropIgnore(dir)
		},
		"Cleanup": func(t *rapid.T) {
			*calls++
			if f.Cleanup(); want.disagree(f) != "" {
				t.Fatal(want.disagree(f))
			}
		},
	})
}

// The replacements.

type replacement struct {
	path, version string
	by            target
}

type replacements []replacement

// add replaces a version of a module, or all versions if it is "".
func (r *replacements) add(path, version string, by target) {
	added := false
	var kept replacements
	for _, x := range *r {
		if x.path == path && (version == "" || x.version == version) {
			if added {
				continue
			}
			x, added = replacement{path, version, by}, true
		}
		kept = append(kept, x)
	}
	if !added {
		kept = append(kept, replacement{path, version, by})
	}
	*r = kept
}

func (r *replacements) drop(path, version string) {
	*r = slices.DeleteFunc(*r, func(x replacement) bool {
		return x.path == path && x.version == version
	})
}

func (r replacements) list() (list []string) {
	for _, x := range r {
		list = append(list, fmt.Sprintf("%s@%s => %s@%s", x.path, x.version, x.by.Path, x.by.Version))
	}
	return list
}

func replaced(f *modfile.File) (list []string) {
	for _, r := range f.Replace {
		list = append(list,
			fmt.Sprintf("%s@%s => %s@%s", r.Old.Path, r.Old.Version, r.New.Path, r.New.Version))
	}
	return list
}

var replaceCalls = callseq.New(func(c *callseq.C) {
	var f *modfile.File
	var want replacements
	c.Do(func() { f = parse(header) })
	c.Op("f.AddReplace", func() {
		path, version := callseq.Arg(c, "path", bigen.OneOf(paths...)),
			callseq.Arg(c, "version", bigen.OneOf(olds...))
		by := callseq.Arg(c, "by", bigen.OneOf(targets...))
		want.add(path, version, by)
		c.Do(func() { f.AddReplace(path, version, by.Path, by.Version) })
	})
	c.Op("f.DropReplace", func() {
		path, version := callseq.Arg(c, "path", bigen.OneOf(paths...)),
			callseq.Arg(c, "version", bigen.OneOf(olds...))
		want.drop(path, version)
		c.Do(func() { f.DropReplace(path, version) })
	})
	c.Op("f.Cleanup", func() { c.Do(func() { f.Cleanup() }) })
	c.Invariant(func() {
		if what := disagree(f, replaced, want.list()); what != "" {
			c.Errorf("%s", what)
		}
	})
})

func rapidReplaces(t *rapid.T, calls *int) {
	f := parse(header)
	var want replacements
	t.Repeat(map[string]func(*rapid.T){
		"AddReplace": func(t *rapid.T) {
			*calls++
			path, version := rapid.SampledFrom(paths).Draw(t, "path"),
				rapid.SampledFrom(olds).Draw(t, "version")
			by := rapid.SampledFrom(targets).Draw(t, "by")
			want.add(path, version, by)
			f.AddReplace(path, version, by.Path, by.Version)
		},
		"DropReplace": func(t *rapid.T) {
			*calls++
			path, version := rapid.SampledFrom(paths).Draw(t, "path"),
				rapid.SampledFrom(olds).Draw(t, "version")
			want.drop(path, version)
			f.DropReplace(path, version)
		},
		"Cleanup": func(t *rapid.T) {
			*calls++
			f.Cleanup()
		},
		"": func(t *rapid.T) {
			if what := disagree(f, replaced, want.list()); what != "" {
				t.Fatal(what)
			}
		},
	})
}
