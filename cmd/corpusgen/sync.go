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
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
)

func runSync(ctx context.Context, args []string) error {
	r := &exchange.Syncer{}
	var pattern string
	return session.Run(ctx, "sync", args, func(s *session.Session) {
		s.Own.StringVar(&pattern, "package", "./...", "")
		s.Own.StringVar(&s.Dir, "o", "", "")
		s.Own.DurationVar(&r.Watch, "watch", 0, "")
		s.DefineVerbose()
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
	}, func(s *session.Session) error {
		r.Session = s
		return r.Run(ctx)
	})
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
		case gotest.HoldsPackage(dir):
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
