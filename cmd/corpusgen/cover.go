package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/coverdata"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/internal/atomicfile"
)

var _ = register(&command{
	name:    "cover",
	summary: "print what code a target's corpus covers, and what it does not reach",
	usage: `usage: corpusgen cover [flags] [packages]

Cover runs each fuzz target on its corpus and prints how many of the statements
of the code under test the corpus reaches, in all and in each function. Then it
lists what no entry reaches in functions that entries do reach, the largest
parts first. The next entry to write may be one of those. The corpus is
testdata/fuzz/FuzzXxx and what the target gives to f.Add or fuzzext.Add, but not
the seeds that fuzzext.Fuzz chooses by itself. The property runs on the values
of the entries only, not on variants.

The code under test is the package of the target, and the packages of its module
that its tests import. What runs before the property, such as init functions and
the generator, counts, too, as it does for go test -cover.

For example:

	corpusgen cover -o cover.html ./...
	corpusgen cover -cache -fuzz Insert ./tree

The flags are:

	-cache
		run also the entries in the engine's cache
	-corpus dir
		run the entries in dir/FuzzXxx, as -o of other commands writes
		them, instead of those in testdata/fuzz/FuzzXxx. Targets
		without such a directory are left out
	-diff dir
		compare with the corpus in dir/FuzzXxx: print what only one of
		the two reaches
	-coverpkg patterns
		measure the packages that these patterns match, separated by
		commas, as far as the tests import them
	-coverprofile file
		write a profile of all targets for go tool cover
	-o file
		write the source of all covered packages as a page that shows what
		is reached, as go tool cover -html does
	-v
		print all parts and functions that are not reached, and functions
		by target
` + sessionUsage + `
But cover runs their corpora like any other.

An entry for which the property fails counts. One with which it ends the process
does not: nobody knows what it reaches. Cover overwrites no file but those that
it, or go tool cover, has written.
`,
	run: runCover,
})

// A coverer is one run of `corpusgen cover`.
type coverer struct {
	*session
	cache        bool
	corpus, diff string // directories
	packages     string
	profile      string // files
	page         string

	total   coverdata.Profile
	targets int
}

func runCover(ctx context.Context, args []string) error {
	c := &coverer{total: coverdata.Profile{}}
	s, err := newSession(ctx, "cover", args, func(s *session) {
		s.Own.BoolVar(&s.v, "v", false, "")
		s.Own.BoolVar(&c.cache, "cache", false, "")
		s.Own.StringVar(&c.corpus, "corpus", "", "")
		s.Own.StringVar(&c.diff, "diff", "", "")
		s.Own.StringVar(&c.packages, "coverpkg", "", "")
		s.Own.StringVar(&c.profile, "coverprofile", "", "")
		s.Own.StringVar(&c.page, "o", "", "")
		c.session = s
	}, func(*session) error { return c.check() })
	if err != nil {
		return err
	}
	defer s.close()
	err = s.each(ctx, c.target)
	if err == nil && c.targets == 0 {
		return errors.New("no target has a corpus there: name a directory that holds FuzzXxx")
	}
	if c.targets > 0 && ctx.Err() == nil {
		if failed := c.summarize(ctx); failed != nil {
			return failed
		}
	}
	return err
}

// check checks the values of flags.
func (c *coverer) check() error {
	for flag, dir := range map[string]string{"corpus": c.corpus, "diff": c.diff} {
		if info, err := os.Stat(dir); dir != "" && (err != nil || !info.IsDir()) {
			return usageError{fmt.Sprintf("-%s: %s is not a directory", flag, dir)}
		}
	}
	for _, f := range []struct{ flag, path, mark string }{
		{"coverprofile", c.profile, "mode: "}, {"o", c.page, "Go Coverage Report"},
	} {
		if f.path == "" {
			continue
		}
		if err := atomicfile.Replaceable(f.path, f.mark); err != nil {
			return usageError{fmt.Sprintf("-%s: %v", f.flag, err)}
		}
	}
	return nil
}

// target prints what the corpus of a target covers.
func (c *coverer) target(ctx context.Context, t *userTarget) error {
	if err := t.measureCoverage(ctx, c.packages); err != nil {
		return err
	}
	dirs := []string{t.seeds}
	if c.corpus != "" {
		dir, ok := t.below(c.corpus)
		if !ok {
			c.note("%s is left out: there is no directory %s", t.label, dir)
			return nil
		}
		dirs[0] = dir
	}
	diff, ok := t.below(c.diff)
	if c.diff != "" && !ok {
		c.note("%s is left out: there is no directory %s to compare with", t.label, diff)
		return nil
	}
	if c.cache {
		dirs = append(dirs, t.cache())
	}
	reach, err := t.reach(ctx, dirs...)
	if reach == nil {
		return err
	}
	c.targets++
	for b, n := range reach.profile {
		c.total[b] = max(c.total[b], n)
	}
	reached, all := reach.profile.Statements()
	c.printf("%s: %s %s %s of %s\n", t.label, count(reach.entries, "entry", "entries"), verb(reach.entries, "reaches", "reach"), percent(reached, all), count(all, "statement", "statements"))
	if reached == 0 && reach.entries > 0 && len(t.imports) > 0 {
		c.note("%s: the tests also import %s: to measure that, use -coverpkg %s", t.label, strings.Join(t.imports, ", "), strings.Join(slices.Concat(t.packages, t.imports), ","))
	}
	e := coverEvent{event: t.event("cover"), Entries: reach.entries, Reached: reached, Statements: all}
	if c.v && len(t.s.pkgs)+len(t.pkg.Targets) > 2 || c.json != nil {
		code, err := c.readCode(ctx, reach.profile)
		if err != nil {
			return err
		}
		e.Functions, e.Unreached = code.functions, code.unreached(reach.profile)
		if c.json == nil {
			c.printf("%s", functionsText(code.functions, c.most()))
		}
	}
	c.emit(e)
	if c.diff == "" {
		return err
	}
	other, failed := t.reach(ctx, diff)
	if failed != nil {
		return failed
	}
	return c.compare(ctx, t, dirs[0], reach.profile, diff, other)
}

// below returns the directory of the target's entries in a directory of corpora, or, if that is
// named like the target, the directory itself. It reports whether there is one.
func (t *userTarget) below(dir string) (path string, ok bool) {
	path = filepath.Join(dir, t.name)
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return path, true
	}
	if abs, err := filepath.Abs(dir); err == nil && filepath.Base(abs) == t.name {
		return dir, true
	}
	return path, false
}

func verb(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// compare prints what only one of two corpora reaches.
func (c *coverer) compare(ctx context.Context, t *userTarget, dir string, p coverdata.Profile, otherDir string, other *reached) error {
	union := coverdata.Profile{}
	for b := range p {
		union[b] = max(p[b], other.profile[b])
	}
	code, err := c.readCode(ctx, union)
	if err != nil {
		return err
	}
	reached, all := other.profile.Statements()
	c.printf("    %s: %s %s %s\n", otherDir, count(other.entries, "entry", "entries"), verb(other.entries, "reaches", "reach"), percent(reached, all))
	for _, side := range []struct {
		dir          string
		these, those coverdata.Profile
	}{{dir, p, other.profile}, {otherDir, other.profile, p}} {
		only := code.parts(side.these, func(b coverdata.Block) bool { return side.these[b] > 0 && side.those[b] == 0 })
		c.printf("    only %s reaches %s%s", side.dir, count(statementsOf(only), "statement", "statements"), partsText(only, "        ", c.most()))
		c.emit(coverDiffEvent{t.event("only"), side.dir, only})
	}
	return nil
}

// most is how many parts are printed.
func (c *coverer) most() int {
	if c.v {
		return 1 << 30
	}
	return 10
}

// summarize writes files, and prints what all targets together cover.
func (c *coverer) summarize(ctx context.Context) error {
	code, err := c.readCode(ctx, c.total)
	if err != nil {
		return err
	}
	if err := c.writeFiles(ctx, code); err != nil {
		return err
	}
	if c.targets > 1 {
		reached, all := c.total.Statements()
		c.printf("all targets: %s of %s\n", percent(reached, all), count(all, "statement", "statements"))
	}
	if c.diff == "" {
		text := functionsText(code.functions, c.most())
		if parts := code.unreached(c.total); len(parts) > 0 {
			text += fmt.Sprintf("not reached, in functions that are: %s%s", count(statementsOf(parts), "statement", "statements"), partsText(parts, "    ", c.most()))
		}
		c.printf("%s", text)
	}
	return nil
}

// writeFiles writes the files that the flags ask for.
func (c *coverer) writeFiles(ctx context.Context, code *coveredCode) error {
	if c.profile != "" {
		if err := atomicfile.Write(c.profile, c.total.Text()); err != nil {
			return err
		}
	}
	if c.page == "" {
		return nil
	}
	page := filepath.Join(c.tmp.Path, "cover.html")
	if _, err := gotest.Output(ctx, "tool", "cover", "-html="+code.profile, "-o="+page); err != nil {
		return err
	}
	b, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	return atomicfile.Write(c.page, b)
}
