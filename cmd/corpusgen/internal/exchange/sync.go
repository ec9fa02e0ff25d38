package exchange

import (
	"context"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
)

// A syncEvent says what sync has exchanged.
type syncEvent struct {
	session.Head
	Inputs int      // that all have
	Pushed int      // files
	Files  []string // that are new entries
}

// A syncer is one run of `corpusgen sync`.
type syncer struct {
	*session.Session
	dirs    []string // that are shared
	watch   time.Duration
	waiting bool // a round that changes nothing says nothing
}

// Sync is `corpusgen sync`.
func Sync(ctx context.Context, args []string) error {
	r := &syncer{Session: session.New("sync")}
	pattern := r.Own.String("package", "./...", "")
	r.Own.StringVar(&r.Dir, "o", "", "")
	r.Own.DurationVar(&r.watch, "watch", 0, "")
	r.DefineVerbose()
	return r.Run(ctx, args, func() (err error) {
		if len(r.Packages) == 0 {
			return session.Usagef("name at least one directory to share")
		}
		if r.watch < 0 {
			return session.Usagef("-watch: want a positive duration")
		}
		r.dirs, err = sharedDirs(r.Packages)
		r.Packages = []string{*pattern}
		return err
	}, r.run)
}

// sharedDirs returns the directories that arguments name. They must exist: a file system that
// is not mounted is not an empty corpus.
func sharedDirs(args []string) (dirs []string, err error) {
	for _, arg := range args {
		dir := arg
		if u, err := url.Parse(arg); err == nil && strings.Contains(arg, "://") {
			if u.Scheme != "file" || u.Host != "" && u.Host != "localhost" || u.Path == "" {
				return nil, session.Usagef("%s: sync has no client for such URLs: mount it, or "+
					"copy it to a directory by rsync, rclone or git, and name the directory", arg)
			}
			dir = filepath.FromSlash(u.Path)
		}
		info, err := os.Stat(dir)
		switch {
		case gotest.HoldsPackage(dir):
			return nil, session.Usagef("%s has Go files: name a directory for corpora; -package "+
				"names packages", arg)
		case errors.Is(err, fs.ErrNotExist):
			return nil, session.Usagef("%s does not exist: make the directory, or mount it", arg)
		case err != nil:
			return nil, session.UsageError{Msg: err.Error()}
		case !info.IsDir():
			return nil, session.Usagef("%s is not a directory", arg)
		}
		if dir, err = filepath.Abs(dir); err != nil {
			return nil, err
		}
		dirs = append(dirs, dir)
	}
	return dirs, nil
}

// run exchanges the inputs of all targets, once or again and again.
func (r *syncer) run(ctx context.Context) error {
	for {
		err := r.Each(ctx, r.target)
		switch {
		case r.watch == 0:
			return err
		case ctx.Err() != nil:
			return context.Cause(ctx)
		}
		r.waiting = true
		r.Failed = false
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(r.watch):
		}
	}
}

// target exchanges the inputs of a target.
func (r *syncer) target(ctx context.Context, t *session.Target) error {
	x := &exchange{ctx: ctx, syncer: r, t: t, known: map[string]bool{}}
	for _, dir := range r.dirs {
		c := openShared(dir, filepath.Join(dir, filepath.FromSlash(t.Package.Path), t.Name))
		c.name = gotest.Short(dir)
		x.shared = append(x.shared, c)
	}
	x.local = []string{t.Seeds, t.Cache()}
	if r.Dir != "" {
		x.local = append(x.local, t.Place())
	}
	err := x.run()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if x.pushed+len(x.pulled) > 0 || !r.waiting {
		inputs := len(x.inputs) + len(x.pulled)
		r.Printf("%s: %s, %d pushed%s, %d pulled\n", t.Label,
			session.Count(inputs, "input", "inputs"), x.pushed, x.shares(), len(x.pulled))
		r.Emit(syncEvent{t.Head("sync"), inputs, x.pushed, x.pulled})
	}
	return err
}
