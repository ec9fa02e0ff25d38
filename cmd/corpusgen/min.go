package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/espalier-go/espalier/internal/atomicfile"
)

var _ = register(&command{
	name:    "min",
	summary: "find a small part of a corpus that covers what all of it does",
	usage: `usage: corpusgen min [flags] [packages]

Min looks for few entries of each target's corpus that together reach the same
code as all entries, and have the same combinations of choices (combinatorial
coverage, see stats). It prints how many there are. With -o it copies them to
another directory. With -w it removes the others from testdata/fuzz/FuzzXxx.

Each entry runs in a process of its own, with coverage as by corpusgen cover. If
no entry reaches any code, min measures the packages of other modules that the
tests import, too: what is tested may be there. Min takes the entry that adds
most, of equal ones the smallest, until none adds anything. What the target
gives to f.Add or fuzzext.Add stays in the code: an entry that adds nothing to
it is not needed. Of an entry that the property does not assume (T.Assume), only
the code that it reaches counts. An entry for which the property fails, does not
return or ends the process is always kept. One that failed once and no longer
does counts like any other. To keep it for good, put it into the code: see
corpusgen promote.

For example:

	corpusgen min -v ./...
	corpusgen min -w -fuzz Insert ./tree

The flags are:

	-o dir
		copy the entries to dir/FuzzXxx. If there are several packages,
		to dir/IMPORTPATH/FuzzXxx
	-w
		remove the other entries from testdata/fuzz/FuzzXxx
	-cache
		choose also from the entries in the engine's cache. With -w,
		copy those chosen to testdata/fuzz/FuzzXxx. The cache stays as
		it is
	-t T
		keep the combinations of T choices, up to 4 (default 2). 0 keeps
		the code that is reached only
	-coverpkg patterns
		measure the packages that these patterns match, separated by
		commas
	-v
		print for each entry that is kept what it adds
` + sessionUsage + `
But min reduces their corpora, too, by the code that is reached.

Min removes no file that has changed meanwhile, or that cannot be read as an
entry, and none at all if one that it keeps has changed. If it is interrupted,
the corpus has all that it needs, and perhaps more.
`,
	run: runMin,
})

// A minimizer is one run of `corpusgen min`.
type minimizer struct {
	*session
	write    bool
	cache    bool
	strength int
	packages string
}

func runMin(ctx context.Context, args []string) error {
	m := &minimizer{}
	s, err := newSession(ctx, "min", args, func(s *session) {
		s.Own.StringVar(&s.dir, "o", "", "")
		s.Own.BoolVar(&s.v, "v", false, "")
		s.Own.BoolVar(&m.write, "w", false, "")
		s.Own.BoolVar(&m.cache, "cache", false, "")
		s.Own.IntVar(&m.strength, "t", 2, "")
		s.Own.StringVar(&m.packages, "coverpkg", "", "")
		m.session = s
	}, func(*session) error {
		switch {
		case m.strength < 0 || m.strength > 4:
			return usageError{fmt.Sprintf("-t %d: want 0 to 4", m.strength)}
		case m.write && m.dir != "":
			return usageError{"-o and -w: choose one"}
		}
		return nil
	})
	if err != nil {
		return err
	}
	defer s.close()
	return s.each(ctx, m.target)
}

// target minimizes the corpus of a target.
func (m *minimizer) target(ctx context.Context, t *userTarget) error {
	if err := t.measureCoverage(ctx, m.packages); err != nil {
		return err
	}
	dirs := []string{t.seeds}
	if m.cache {
		dirs = append(dirs, t.cache())
	}
	found, err := t.measure(ctx, dirs)
	if found == nil || ctx.Err() != nil {
		return err
	}
	if len(found.entries) == 0 {
		m.note("%s: the corpus has no entries", t.label)
		return err
	}
	chosen := choose(found, m.strength)
	text := fmt.Sprintf("%s: %d of %s %s the same %s", t.label, chosen.kept, count(len(found.entries), "entry", "entries"), verb(chosen.kept, "covers", "cover"), count(chosen.statements, "statement", "statements"))
	if chosen.combinations > 0 {
		text += " and " + count(chosen.combinations, "combination of choices", "combinations of choices")
	}
	m.printf("%s\n", text)
	e := minEvent{event: t.event("min"), Entries: len(found.entries)}
	for _, c := range found.entries {
		if c.why == "" {
			continue
		}
		e.Kept = append(e.Kept, c.path)
		if m.v {
			m.printf("    %s: %s\n", filepath.Base(c.path), c.why)
		}
	}
	m.emit(e)
	return errors.Join(err, m.deliver(ctx, t, found.entries))
}

// deliver copies the entries that are kept, and removes the others, as far as the flags ask
// for it.
func (m *minimizer) deliver(ctx context.Context, t *userTarget, entries []*measuredEntry) error {
	if m.dir == "" && !m.write {
		return nil
	}
	for _, c := range entries {
		if err := ctx.Err(); err != nil {
			return err
		}
		if c.why == "" || m.write && !c.cached {
			continue
		}
		if err := copyEntry(t.place(), c); err != nil {
			return fmt.Errorf("%s: %w", t.label, err)
		}
	}
	if !m.write {
		return nil
	}
	// Another run may have kept others of those that cover the same.
	for _, c := range entries {
		if now, err := os.ReadFile(c.path); c.why != "" && !c.cached && (err != nil || !bytes.Equal(now, c.file)) {
			return fmt.Errorf("%s: nothing is removed: another process has changed %s: run min again", t.label, c.path)
		}
	}
	for _, c := range entries {
		if err := ctx.Err(); err != nil {
			return err
		}
		if c.why != "" || c.cached {
			continue
		}
		if now, err := os.ReadFile(c.path); errors.Is(err, fs.ErrNotExist) || err == nil && !bytes.Equal(now, c.file) {
			continue
		}
		if err := os.Remove(c.path); err != nil {
			return fmt.Errorf("%s: %w", t.label, err)
		}
	}
	return nil
}

// copyEntry copies an entry to a directory, under its own name. A file that is there stays.
func copyEntry(dir string, c *measuredEntry) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	path := filepath.Join(dir, filepath.Base(c.path))
	err := atomicfile.Create(path, filepath.Dir(filepath.Clean(dir)), c.file)
	if !errors.Is(err, fs.ErrExist) {
		return err
	}
	if there, err := os.ReadFile(path); err != nil || !bytes.Equal(there, c.file) {
		return fmt.Errorf("%s is there already, and differs from %s", path, c.path)
	}
	return nil
}
