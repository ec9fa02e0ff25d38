package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
)

var _ = register(&command{
	name:    "sync",
	summary: "exchange the inputs of corpora with other machines through a directory",
	usage: `usage: corpusgen sync [flags] DIR...

Sync makes the corpora of fuzz targets and the directories DIR have the same
inputs. It adds files and never changes or removes one. A directory is what
several machines share: a network file system, a bucket that is mounted, a
folder that rsync copies, or a clone of a git repository. Any number of
processes can use it at once, without locks.

In each DIR, the inputs of a target are in DIR/IMPORTPATH/FuzzXxx, one file for
each, named by the SHA-1 of its content. That is a corpus of libFuzzer: a
binary of corpusgen libfuzzer can use it, too:

	./fuzz_x DIR/example.com/mod/pkg/FuzzXxx

The corpora are testdata/fuzz/FuzzXxx and the cache of go test -fuzz and
corpusgen fuzz. What is new in DIR is added to the cache. An input that fails
is an input like others: mend what it shows, or the engines that read it stop.

DIR may be a URL file:///DIR. Sync has no client for others: mount a bucket, or
copy by rsync, rclone or git before and after sync.

For example:

	corpusgen sync -fuzz FuzzInsert /mnt/corpora

The flags are:

	-package pattern
		the packages of the targets (default ./...)
	-o dir
		add to dir/FuzzXxx what is new, instead of the cache; several
		packages: dir/IMPORTPATH/FuzzXxx
	-watch duration
		sync again and again, with a pause of this duration, until an
		interrupt
	-v
		print the path of each new file
` + sessionUsage + `
Sync needs no generator: targets that do not use fuzzext take part. The exit
status is 1 if a file is no input, or something else went wrong. The other files
are exchanged nevertheless.
`,
	run: runSync,
})

// A syncer is one run of `corpusgen sync`.
type syncer struct {
	*session
	dirs    []string // that are shared
	watch   time.Duration
	waiting bool // a round that changes nothing says nothing
}

func runSync(ctx context.Context, args []string) error {
	r := &syncer{}
	var pattern string
	s, err := newSession(ctx, "sync", args, func(s *session) {
		s.Own.StringVar(&pattern, "package", "./...", "")
		s.Own.StringVar(&s.dir, "o", "", "")
		s.Own.DurationVar(&r.watch, "watch", 0, "")
		s.Own.BoolVar(&s.v, "v", false, "")
	}, func(s *session) (err error) {
		if len(s.Packages) == 0 {
			return usageError{"name at least one directory to share"}
		}
		if r.watch < 0 {
			return usageError{"-watch: want a positive duration"}
		}
		r.dirs, err = sharedDirs(s.Packages)
		s.Packages = []string{pattern}
		return err
	})
	if err != nil {
		return err
	}
	defer s.close()
	r.session = s
	for {
		err := s.each(ctx, r.target)
		switch {
		case r.watch == 0:
			return err
		case ctx.Err() != nil:
			return context.Cause(ctx)
		}
		r.waiting = true
		s.failed = false
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(r.watch):
		}
	}
}

// sharedDirs returns the directories that arguments name. They must exist: a file system that
// is not mounted is no empty corpus.
func sharedDirs(args []string) (dirs []string, err error) {
	for _, arg := range args {
		dir := arg
		if u, err := url.Parse(arg); err == nil && strings.Contains(arg, "://") {
			if u.Scheme != "file" || u.Host != "" && u.Host != "localhost" || u.Path == "" {
				return nil, usageError{fmt.Sprintf("%s: sync has no client for such URLs: mount it, or copy it to a directory by rsync, rclone or git, and name the directory", arg)}
			}
			dir = filepath.FromSlash(u.Path)
		}
		info, err := os.Stat(dir)
		switch {
		case hasGo(dir):
			return nil, usageError{arg + " has Go files: name a directory for corpora; -package names packages"}
		case errors.Is(err, fs.ErrNotExist):
			return nil, usageError{arg + " does not exist: make the directory, or mount it"}
		case err != nil:
			return nil, usageError{err.Error()}
		case !info.IsDir():
			return nil, usageError{arg + " is not a directory"}
		}
		if dir, err = filepath.Abs(dir); err != nil {
			return nil, err
		}
		dirs = append(dirs, dir)
	}
	return dirs, nil
}

// target exchanges the inputs of a target.
func (r *syncer) target(ctx context.Context, t *userTarget) error {
	x := &exchange{ctx: ctx, syncer: r, t: t, known: map[string]bool{}}
	for _, dir := range r.dirs {
		c := openShared(filepath.Join(dir, filepath.FromSlash(t.pkg.Path), t.name))
		c.name = gotest.Short(dir)
		x.shared = append(x.shared, c)
	}
	x.local = []string{t.seeds, t.cache()}
	if r.dir != "" {
		x.local = append(x.local, t.place())
	}
	err := x.run()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if x.pushed+len(x.pulled) > 0 || !r.waiting {
		inputs := len(x.inputs) + len(x.pulled)
		r.printf("%s: %s, %d pushed%s, %d pulled\n", t.label, count(inputs, "input", "inputs"), x.pushed, x.shares(), len(x.pulled))
		r.emit(syncEvent{t.event("sync"), inputs, x.pushed, x.pulled})
	}
	return err
}
