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

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/exchange"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
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

func runSync(ctx context.Context, args []string) error {
	r := &exchange.Syncer{}
	var pattern string
	s, err := session.New(ctx, "sync", args, func(s *session.Session) {
		s.Own.StringVar(&pattern, "package", "./...", "")
		s.Own.StringVar(&s.Dir, "o", "", "")
		s.Own.DurationVar(&r.Watch, "watch", 0, "")
		s.Own.BoolVar(&s.Verbose, "v", false, "")
	}, func(s *session.Session) (err error) {
		if len(s.Packages) == 0 {
			return session.UsageError{Msg: "name at least one directory to share"}
		}
		if r.Watch < 0 {
			return session.UsageError{Msg: "-watch: want a positive duration"}
		}
		r.Dirs, err = sharedDirs(s.Packages)
		s.Packages = []string{pattern}
		return err
	})
	if err != nil {
		return err
	}
	defer s.Close()
	r.Session = s
	return r.Run(ctx)
}

// sharedDirs returns the directories that arguments name. They must exist: a file system that
// is not mounted is no empty corpus.
func sharedDirs(args []string) (dirs []string, err error) {
	for _, arg := range args {
		dir := arg
		if u, err := url.Parse(arg); err == nil && strings.Contains(arg, "://") {
			if u.Scheme != "file" || u.Host != "" && u.Host != "localhost" || u.Path == "" {
				return nil, session.UsageError{Msg: fmt.Sprintf("%s: sync has no client for such URLs: mount it, or copy it to a directory by rsync, rclone or git, and name the directory", arg)}
			}
			dir = filepath.FromSlash(u.Path)
		}
		info, err := os.Stat(dir)
		switch {
		case hasGo(dir):
			return nil, session.UsageError{Msg: arg + " has Go files: name a directory for corpora; -package names packages"}
		case errors.Is(err, fs.ErrNotExist):
			return nil, session.UsageError{Msg: arg + " does not exist: make the directory, or mount it"}
		case err != nil:
			return nil, session.UsageError{Msg: err.Error()}
		case !info.IsDir():
			return nil, session.UsageError{Msg: arg + " is not a directory"}
		}
		if dir, err = filepath.Abs(dir); err != nil {
			return nil, err
		}
		dirs = append(dirs, dir)
	}
	return dirs, nil
}
