package coverage

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/rundir"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
	"github.com/espalier-go/espalier/internal/corpus"
)

// A MinEvent says which entries min keeps.
type MinEvent struct {
	session.Head
	Entries int
	Kept    []string // files
}

// A minimizer is one run of `corpusgen min`.
type minimizer struct {
	*session.Session
	write    bool
	strength int
	patterns string // of -coverpkg
}

// Min is `corpusgen min`.
func Min(ctx context.Context, args []string) error {
	m := &minimizer{Session: session.New("min")}
	m.Own.StringVar(&m.Dir, "o", "", "")
	m.DefineVerbose()
	m.Own.BoolVar(&m.write, "w", false, "")
	m.DefineCache()
	m.Own.IntVar(&m.strength, "t", 2, "")
	m.Own.StringVar(&m.patterns, "coverpkg", "", "")
	return m.RunEach(ctx, args, func() error {
		switch {
		case m.strength < 0 || m.strength > 4:
			return session.Usagef("-t %d: want 0 to 4", m.strength)
		case m.write && m.Dir != "":
			return session.Usagef("-o and -w: choose one")
		}
		return nil
	}, m.target)
}

// target minimizes the corpus of a target.
func (m *minimizer) target(ctx context.Context, t *session.Target) error {
	if m.write { // another run must not remove what this one keeps
		unlock, err := m.lock(ctx, t)
		if err != nil {
			return err
		}
		defer unlock()
	}
	if err := MeasureCoverage(ctx, t.Workshop, m.patterns, true); err != nil {
		return err
	}
	dirs := t.Corpora()
	found, err := measure(ctx, t, dirs)
	if found == nil || ctx.Err() != nil {
		return err
	}
	if len(found.entries) == 0 {
		m.Note("%s: the corpus has no entries", t.Label)
		return err
	}
	chosen := choose(found, m.strength)
	text := fmt.Sprintf("%s: %d of %s %s the same %s", t.Label, chosen.kept,
		session.Count(len(found.entries), "entry", "entries"),
		session.Verb(chosen.kept, "covers", "cover"),
		session.Count(chosen.statements, "statement", "statements"))
	if chosen.combinations > 0 {
		text += " and " + session.Count(chosen.combinations, "combination of choices",
			"combinations of choices")
	}
	m.Printf("%s\n", text)
	e := MinEvent{Head: t.Head("min"), Entries: len(found.entries)}
	for _, c := range found.entries {
		if c.why == "" {
			continue
		}
		e.Kept = append(e.Kept, c.path)
		if m.Verbose {
			m.Printf("    %s: %s\n", filepath.Base(c.path), c.why)
		}
	}
	m.Emit(e)
	return errors.Join(err, m.deliver(ctx, t, found.entries))
}

// lock keeps other runs from changing the corpus of the target.
func (m *minimizer) lock(ctx context.Context, t *session.Target) (unlock func(), err error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, err
	}
	seeds, err := filepath.Abs(t.Seeds)
	if err != nil {
		return nil, err
	}
	return rundir.Lock(ctx,
		filepath.Join(cache, "espalier", "lock", fmt.Sprintf("%x", sha256.Sum256([]byte(seeds)))))
}

// deliver copies the entries that are kept, and removes the others, as far as the flags ask
// for it.
func (m *minimizer) deliver(
	ctx context.Context, t *session.Target, entries []*measuredEntry,
) error {
	if m.Dir == "" && !m.write {
		return nil
	}
	added := ""
	for _, c := range entries {
		if err := ctx.Err(); err != nil {
			return err
		}
		if c.why == "" || m.write && !c.cached {
			continue
		}
		path, isNew, err := corpus.Add(t.Place(), filepath.Base(c.path), c.file)
		if err != nil {
			return fmt.Errorf("%s: %w", t.Label, err)
		}
		if isNew {
			added = path
		}
	}
	if !m.write {
		return nil
	}
	if added != "" && ignored(ctx, added) {
		m.Note("%s: git ignores %s: to commit the entries, change .gitignore, or add them by "+
			"git add -f", t.Label, t.Place())
	}
	return m.remove(ctx, t, entries)
}

// ignored reports whether git ignores a file. It does not if there is no git, or no repository.
func ignored(ctx context.Context, path string) bool {
	git := exec.CommandContext(ctx, "git", "check-ignore", "--quiet", "--", filepath.Base(path))
	git.Dir = filepath.Dir(path)
	return git.Run() == nil
}

// remove removes the entries of the seed corpus that are not kept, unless another process has
// changed an entry meanwhile: another run may have kept others, which cover the same.
func (m *minimizer) remove(ctx context.Context, t *session.Target, entries []*measuredEntry) error {
	for _, c := range entries {
		if kept := c.why != "" && !c.cached; kept && !c.unchanged() {
			return fmt.Errorf("%s: nothing is removed: another process has changed %s: run "+
				"min again", t.Label, c.path)
		}
	}
	for _, c := range entries {
		if err := ctx.Err(); err != nil {
			return err
		}
		if c.why != "" || c.cached {
			continue
		}
		now, err := corpus.ReadFile(c.path)
		if errors.Is(err, fs.ErrNotExist) || err == nil && !bytes.Equal(now, c.file) {
			continue
		}
		if err := os.Remove(c.path); err != nil {
			return fmt.Errorf("%s: %w", t.Label, err)
		}
	}
	return nil
}

// unchanged reports whether the file of an entry is as it was measured.
func (c *measuredEntry) unchanged() bool {
	now, err := corpus.ReadFile(c.path)
	return err == nil && bytes.Equal(now, c.file)
}
