package corpora

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
	"github.com/espalier-go/espalier/internal/corpus"
	"github.com/espalier-go/espalier/internal/job"
	"github.com/espalier-go/espalier/internal/safefile"
)

// A recoder is one run of `corpusgen recode`.
type recoder struct {
	*session.Session
	write bool
}

// Recode is `corpusgen recode`.
func Recode(ctx context.Context, args []string) error {
	r := &recoder{Session: session.New("recode")}
	r.Own.BoolVar(&r.write, "w", false, "")
	r.DefineVerbose()
	return r.RunEach(ctx, args, nil, r.target)
}

// target recodes the corpus of a target.
func (r *recoder) target(ctx context.Context, t *session.Target) error {
	files, err := t.Files(t.Seeds)
	if err != nil {
		return err
	}
	answer, err := t.Ask(ctx, job.Order{Read: &job.Read{Files: files, As: "corpus"}})
	if errors.Is(err, session.ErrPlain) || ctx.Err() != nil {
		return err
	}
	recoded := 0
	for _, e := range answer.Entries {
		if err := ctx.Err(); err != nil {
			return err
		}
		name := filepath.Join(t.Seeds, filepath.Base(e.Of))
		if _, failed := os.Lstat(name); errors.Is(failed, fs.ErrNotExist) {
			continue // another run has recoded it
		}
		if e.Status != job.Valid {
			err = errors.Join(err,
				fmt.Errorf("%s stays: %s", safefile.Quoted(name), strings.TrimRight(e.Why, "\n")))
			continue
		}
		done, failed := r.recode(t, name, e.File)
		if done {
			recoded++
		}
		err = errors.Join(err, failed)
	}
	text := fmt.Sprintf("%s: %d of %s in %s", t.Label, recoded,
		session.Count(len(answer.Entries), "entry", "entries"), t.Seeds)
	switch {
	case r.write:
		text += " recoded"
	case recoded > 0:
		text += " to recode: use -w"
	default:
		text += " to recode"
	}
	r.Printf("%s\n", text)
	r.Emit(session.EntriesEvent{Head: t.Head("recode"), Files: nil, End: answer.End})
	return err
}

// recode rewrites the entry in a file as data. It reports whether there is something to do.
// If the file has gone meanwhile, another run may have recoded it.
func (r *recoder) recode(t *session.Target, old string, data []byte) (todo bool, err error) {
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
	path := filepath.Join(t.Seeds, corpus.Name(data))
	if r.write {
		if path, _, err = corpus.Write(t.Seeds, data); err != nil {
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
	if r.Verbose {
		r.Printf("%s -> %s\n", old, filepath.Base(path))
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
