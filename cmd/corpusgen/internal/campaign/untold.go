package campaign

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/espalier-go/espalier/internal/corpus"
	"github.com/espalier-go/espalier/internal/engine"
)

// An unsaved is a failure whose entry is not saved.
type unsaved struct {
	engine.Failure
	entry []byte
}

// untold judges the entries that workers still ran when they were killed, and those that the engine
// has saved without a word, as when two fail at once. One that does not return in the time that the
// engine allows is a failure, too. If the run has been interrupted, it judges none.
func (f *fuzzer) untold(
	ctx context.Context, t *fuzzTarget, u *turn, d diagnosis,
) (failures []unsaved) {
	files, err := t.tally.Unfinished()
	f.warn(t, err)
	names := make([]string, len(files))
	for _, name := range u.strays(t, d) {
		file, err := corpus.ReadFile(t.file(name))
		f.warn(t, err)
		files, names = append(files, file), append(names, name)
	}
	for i, file := range files {
		r, err := f.newApart(t)
		if r == nil || err != nil || ctx.Err() != nil {
			f.warn(t, err)
			return failures
		}
		slow := time.AfterFunc(time.Second, func() {
			f.printLine(t, fmt.Sprintf("corpusgen: an input that the engine has not judged runs alone, for "+
				"at most %v", r.one))
		})
		end, err := r.run([][]byte{file})
		slow.Stop()
		if err != nil || !end.died && !end.failed {
			f.warn(t, err)
			if names[i] != "" {
				f.Note("%s: the engine has saved %s, which does not fail alone", t.name, names[i])
			}
			continue
		}
		failure := end.failure(engine.Failure{File: names[i]}, argsOf(file))
		if end.failed && end.value != "" {
			file = r.minimized(&failure, file)
		}
		failures = append(failures, unsaved{failure, file})
	}
	return failures
}

// strays returns the files of failing inputs that the turn has written, and of which nothing tells.
// Fuzzext tells of those that it writes.
func (u *turn) strays(t *fuzzTarget, d diagnosis) (files []string) {
	if t.tally.Stats().Structured {
		return nil
	}
	for name := range t.seeds() {
		file := filepath.ToSlash(filepath.Join(t.savedDir(), name))
		if !u.seeds[name] && !named(file, d.failures) && !named(file, d.again) && !named(file, t.failures) {
			files = append(files, file)
		}
	}
	slices.Sort(files)
	return files
}
