package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/espalier-go/espalier/internal/corpus"
	"github.com/espalier-go/espalier/internal/job"
)

var _ = register(&command{
	name:    "recode",
	summary: "rewrite corpus entries that do not spell out their values",
	usage: `usage: corpusgen recode [-w] [flags] [packages]

Recode finds the entries of testdata/fuzz/FuzzXxx whose bytes are not those that
the target's generator makes of their value: entries of an earlier generator, of
a fuzzer, or old inputs of a target that uses headers.Valid. Such an entry
depends on what the generator makes of bytes that it has not written. With -w,
recode rewrites it: it writes a new entry of the same value, then removes the
old file. Without -w, it says what it would do.

An entry that stands for no value, and one that is a link, stays as it is.

For example:

	corpusgen recode -w ./...

The flags are:

	-w
		write the entries
	-v
		print the names of the old and the new file of each entry
` + sessionUsage + `
The exit status is 1 if an entry stands for no value, or something else went
wrong.
`,
	run: runRecode,
})

// A recoder is one run of `corpusgen recode`.
type recoder struct {
	*session
	write bool
}

func runRecode(ctx context.Context, args []string) error {
	r := &recoder{}
	s, err := newSession(ctx, "recode", args, func(s *session) {
		s.Own.BoolVar(&r.write, "w", false, "")
		s.Own.BoolVar(&s.v, "v", false, "")
	}, func(*session) error { return nil })
	if err != nil {
		return err
	}
	defer s.close()
	r.session = s
	return s.each(ctx, r.target)
}

// target recodes the corpus of a target.
func (r *recoder) target(ctx context.Context, t *userTarget) error {
	if err := corpus.Check(t.seeds); err != nil {
		return fmt.Errorf("%s: %w", t.label, err)
	}
	files, unreadable := t.files(t.seeds)
	answer, err := t.ask(ctx, job.Order{Read: &job.Read{Files: files, As: "corpus"}})
	if errors.Is(err, errPlain) || ctx.Err() != nil {
		return err
	}
	err = errors.Join(unreadable, err)
	recoded := 0
	for _, e := range answer.Entries {
		if err := ctx.Err(); err != nil {
			return err
		}
		name := filepath.Join(t.seeds, filepath.Base(e.Of))
		if _, failed := os.Lstat(name); errors.Is(failed, fs.ErrNotExist) {
			continue // another run has recoded it
		}
		if e.Status != job.Valid {
			err = errors.Join(err, fmt.Errorf("%s stays: %s", name, strings.TrimRight(e.Why, "\n")))
			continue
		}
		done, failed := r.recode(t, name, e.File)
		if done {
			recoded++
		}
		err = errors.Join(err, failed)
	}
	text := fmt.Sprintf("%s: %d of %s in %s", t.label, recoded, count(len(answer.Entries), "entry", "entries"), t.seeds)
	switch {
	case r.write:
		text += " recoded"
	case recoded > 0:
		text += " to recode: use -w"
	default:
		text += " to recode"
	}
	r.printf("%s\n", text)
	r.emit(entriesEvent{t.event("recode"), nil, answer.End})
	return err
}

// recode rewrites the entry in a file as data. It reports whether there is something to do.
// If the file has gone meanwhile, another run may have recoded it.
func (r *recoder) recode(t *userTarget, old string, data []byte) (todo bool, err error) {
	before, err := corpus.ReadFile(old)
	if err != nil {
		return false, exceptGone(err)
	}
	if is, err := corpus.Unmarshal(before); err != nil || bytes.Equal(is, data) {
		return false, err
	}
	if info, err := os.Lstat(old); err != nil || !info.Mode().IsRegular() {
		return false, errors.Join(err, fmt.Errorf("%s stays: it is a link", old))
	}
	path := filepath.Join(t.seeds, corpus.Name(data))
	if r.write {
		if path, _, err = corpus.Write(t.seeds, data); err != nil {
			return true, fmt.Errorf("%s stays: %w", old, err)
		}
		now, err := corpus.ReadFile(old)
		if err == nil && !bytes.Equal(now, before) {
			err = fmt.Errorf("%s stays: another process has changed it", old)
		}
		if err == nil {
			err = os.Remove(old)
		}
		if err != nil {
			return true, exceptGone(err)
		}
	}
	if r.v {
		r.printf("%s -> %s\n", old, filepath.Base(path))
	}
	return true, nil
}

// exceptGone returns the error, or nil if it says that a file does not exist.
func exceptGone(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
