// Package coverage says which code the entries of a corpus reach, and which of them are enough for
// that.
package coverage

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
	"github.com/espalier-go/espalier/internal/safefile"
)

// A coverer is one run of `corpusgen cover`.
type coverer struct {
	*session.Session
	corpus, against string // directories
	patterns        string // of -coverpkg
	profile         string // file

	total   Profile
	targets int
}

// Cover is `corpusgen cover`.
func Cover(ctx context.Context, args []string) error {
	c := &coverer{Session: session.New("cover"), total: Profile{}}
	c.DefineVerbose()
	c.DefineCache()
	c.Own.StringVar(&c.corpus, "corpus", "", "")
	c.Own.StringVar(&c.against, "against", "", "")
	session.Renamed(c.Own, "diff", "against")
	c.Own.StringVar(&c.patterns, "coverpkg", "", "")
	c.Own.StringVar(&c.profile, "coverprofile", "", "")
	session.DefineForce(c.Own)
	return c.Run(ctx, args, c.check, c.run)
}

// check checks the values of flags.
func (c *coverer) check() error {
	for flag, dir := range map[string]string{"corpus": c.corpus, "against": c.against} {
		if info, err := os.Stat(dir); dir != "" && (err != nil || !info.IsDir()) {
			return session.Usagef("-%s: %s is not a directory", flag, dir)
		}
	}
	if c.profile != "" {
		if err := safefile.Replaceable(c.profile, "mode: "); err != nil {
			return session.Usagef("-coverprofile: %v", err)
		}
	}
	return nil
}

// run prints what the corpora of the targets cover.
func (c *coverer) run(ctx context.Context) error {
	err := c.Each(ctx, c.target)
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

// target prints what the corpus of a target covers.
func (c *coverer) target(ctx context.Context, t *session.Target) error {
	if err := MeasureCoverage(ctx, t.Workshop, c.patterns, false); err != nil {
		return err
	}
	dirs := t.Corpora()
	if c.corpus != "" {
		dir, ok := below(t, c.corpus)
		if !ok {
			c.Note("%s is left out: there is no directory %s", t.Label, dir)
			return nil
		}
		dirs[0] = dir
	}
	against, ok := below(t, c.against)
	if c.against != "" && !ok {
		c.Note("%s is left out: there is no directory %s to compare with", t.Label, against)
		return nil
	}
	reach, err := Reach(ctx, t, dirs...)
	if reach == nil {
		return err
	}
	c.targets++
	for b, n := range reach.Profile {
		c.total[b] = max(c.total[b], n)
	}
	if err := c.tell(ctx, t, reach); err != nil {
		return err
	}
	if c.against == "" {
		return err
	}
	other, failed := Reach(ctx, t, against)
	if failed != nil {
		return failed
	}
	return c.compare(ctx, t, dirs[0], reach.Profile, against, other)
}

// tell prints and emits what a target reaches.
func (c *coverer) tell(ctx context.Context, t *session.Target, reach *reached) error {
	reached, all := reach.Profile.Statements()
	c.Printf("%s: %s %s %s of %s\n", t.Label, session.Count(reach.entries, "entry", "entries"),
		session.Verb(reach.entries, "reaches", "reach"), session.Percent(reached, all),
		session.Count(all, "statement", "statements"))
	if reached == 0 && reach.entries > 0 && len(t.Imports) > 0 {
		c.Note("%s: the tests also import %s: to measure that, use -coverpkg %s", t.Label,
			strings.Join(t.Imports, ", "), strings.Join(slices.Concat(t.Packages, t.Imports), ","))
	}
	e := CoverEvent{Head: t.Head("cover"), Entries: reach.entries, Reached: reached, Statements: all}
	if c.Verbose && len(t.Session.Pkgs)+len(t.Package.Targets) > 2 || c.Json != nil {
		code, err := c.readCode(ctx, reach.Profile)
		if err != nil {
			return err
		}
		e.Functions, e.Unreached = code.functions, code.unreached(reach.Profile)
		if c.Json == nil {
			c.Printf("%s", functionsText(code.functions, c.most()))
		}
	}
	c.Emit(e)
	return nil
}

// below returns the directory of the target's entries in a directory of corpora, or, if that is
// named like the target, the directory itself. It reports whether there is one.
func below(t *session.Target, dir string) (path string, ok bool) {
	path = filepath.Join(dir, t.Name)
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return path, true
	}
	if abs, err := filepath.Abs(dir); err == nil && filepath.Base(abs) == t.Name {
		return dir, true
	}
	return path, false
}

// compare prints what only one of two corpora reaches.
func (c *coverer) compare(
	ctx context.Context, t *session.Target, dir string, p Profile, otherDir string, other *reached,
) error {
	union := Profile{}
	for b := range p {
		union[b] = max(p[b], other.Profile[b])
	}
	code, err := c.readCode(ctx, union)
	if err != nil {
		return err
	}
	reached, all := other.Profile.Statements()
	c.Printf("    %s: %s %s %s\n", otherDir, session.Count(other.entries, "entry", "entries"),
		session.Verb(other.entries, "reaches", "reach"), session.Percent(reached, all))
	for _, side := range []struct {
		dir          string
		these, those Profile
	}{{dir, p, other.Profile}, {otherDir, other.Profile, p}} {
		only := code.parts(side.these, func(b Block) bool {
			return side.these[b] > 0 && side.those[b] == 0
		})
		c.Printf("    only %s reaches %s%s", side.dir,
			session.Count(statementsOf(only), "statement", "statements"),
			partsText(only, "        ", c.most()))
		c.Emit(CoverDiffEvent{t.Head("only"), side.dir, only})
	}
	return nil
}

// most is how many parts are printed.
func (c *coverer) most() int {
	if c.Verbose {
		return 1 << 30
	}
	return 10
}

// summarize writes the profile, and prints what all targets together cover.
func (c *coverer) summarize(ctx context.Context) error {
	code, err := c.readCode(ctx, c.total)
	if err != nil {
		return err
	}
	if c.profile != "" {
		if err := safefile.Write(c.profile, c.total.Text()); err != nil {
			return err
		}
	}
	if c.targets > 1 {
		reached, all := c.total.Statements()
		c.Printf("all targets: %s of %s\n", session.Percent(reached, all),
			session.Count(all, "statement", "statements"))
	}
	if c.against == "" {
		text := functionsText(code.functions, c.most())
		if parts := code.unreached(c.total); len(parts) > 0 {
			text += fmt.Sprintf("not reached, in functions that are: %s%s",
				session.Count(statementsOf(parts), "statement", "statements"),
				partsText(parts, "    ", c.most()))
		}
		c.Printf("%s", text)
	}
	return nil
}

// A CoverEvent says what a corpus reaches.
type CoverEvent struct {
	session.Head
	Entries    int
	Reached    int // statements
	Statements int
	Functions  []*Function
	Unreached  []Part // of functions that are reached
}

// A CoverDiffEvent says what only one of two corpora reaches.
type CoverDiffEvent struct {
	session.Head
	Corpus string // directory
	Only   []Part // that no entry of the other corpus reaches
}
