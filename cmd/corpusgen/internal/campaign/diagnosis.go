package campaign

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/finding"
	"github.com/espalier-go/espalier/internal/corpus"
	"github.com/espalier-go/espalier/internal/engine"
	"github.com/espalier-go/espalier/internal/job"
)

// A diagnosis says what a turn has found.
type diagnosis struct {
	failures []engine.Failure // told by the engine, or of inputs that still ran at the end
	again    []engine.Failure // of them, those that end the process as an input before has
}

// examine finds out what the engine has told of a failure in a turn.
func (f *fuzzer) examine(ctx context.Context, t *fuzzTarget, u *turn) (d diagnosis) {
	failure, told := u.log.Failure(t.pkg().Path, t.engine)
	if told = told && u.exit.Err != nil; told {
		f.warn(t, u.remove(t, u.log.Raw()))
		var seed []byte
		if failure.File == "" {
			t.locate(f.Env, &failure, u.log.Seed)
			if seed = t.tally.FailedSeed(); failure.File == "" {
				failure.Input = argumentsOf(seed)
			}
		} else {
			f.place(t, &failure)
		}
		if failure.Value == "" {
			failure = classified(failure, argsOf(t.entry(failure, seed)))
		}
		ended := strings.HasPrefix(failure.Place, finding.ProcessEnded)
		explained := f.explain(ctx, t, &failure, seed)
		switch known := t.tally.Knows(failure); {
		case ended && u.log.Seed == "" && known:
			if placed(failure) {
				f.warn(t, u.remove(t, failure.File))
			}
			d.again = append(d.again, failure)
		default:
			switch {
			case known:
			case u.log.Seed != "":
				f.judgeSeed(ctx, t, &failure, seed)
			case explained || !ended:
				f.minimize(ctx, t, u, &failure)
			}
			if ended {
				f.warn(t, f.adopt(t, &failure, explained))
			}
			d.failures = append(d.failures, failure)
		}
	}
	if !told && u.exit.Err != nil && strings.Contains(failure.Log, finding.ProcessEnded) {
		f.examineIdle(t, failure, &d)
	}
	f.nameRace(t, &d)
	for _, failure := range f.untold(ctx, t, u, d) {
		u.log.passed = false
		same := func(other engine.Failure) bool { return alike(other, failure.Failure) }
		if t.tally.Knows(failure.Failure) ||
			slices.ContainsFunc(slices.Concat(t.failures, d.failures), same) {
			d.again = append(d.again, failure.Failure)
			f.warn(t, u.remove(t, failure.File))
			continue
		}
		if err := f.save(t, &failure.Failure, failure.entry); err != nil {
			f.warn(t, err)
			continue
		}
		f.minimize(ctx, t, u, &failure.Failure)
		d.failures = append(d.failures, failure.Failure)
	}
	// the summary tells of each failure once; -v shows all that is printed of new ones
	again := len(d.again) > 0 && len(d.failures) == 0
	u.log.Release(again || told && !f.verbose())
	for i := range d.failures {
		if d.failures[i].Hangs { // the command is to end soon
			d.failures[i].Rerun = strings.Replace(d.failures[i].Rerun, " -run ", " -timeout 20s -run ", 1)
		}
	}
	return d
}

// alike reports whether a failure is of the class of another. Of a value, a worker may have told it
// by another name: then the place decides.
func alike(known, failure engine.Failure) bool {
	return classOf(known) == classOf(failure) || failure.Value != "" && placed(failure) &&
		strings.TrimPrefix(known.Place, "panic at ") == failure.Place
}

// placed reports whether the class of a failure tells it from others.
func placed(failure engine.Failure) bool {
	return strings.Contains(failure.Place, ".go:")
}

// seeds returns the names of what is saved for the target.
func (t *fuzzTarget) seeds() map[string]bool {
	names := map[string]bool{}
	entries, _ := os.ReadDir(filepath.Join(t.pkg().Dir, t.savedDir())) // or none
	for _, e := range entries {
		names[e.Name()] = true
	}
	return names
}

// remove removes the file of a failure, unless that is "", if it is one that the turn has written.
func (u *turn) remove(t *fuzzTarget, file string) error {
	path := t.file(file)
	if name := filepath.Base(path); file == "" || u.seeds[name] || filepath.IsAbs(file) {
		return nil
	}
	return os.Remove(path)
}

// explain finds out why an input has ended its process, and where, if the engine has told only that
// it has. The input is an entry, or in the failure's file. It reports false if there is nothing more
// to be known.
func (f *fuzzer) explain(
	ctx context.Context, t *fuzzTarget, failure *engine.Failure, entry []byte,
) bool {
	if !strings.HasPrefix(failure.Place, finding.ProcessEnded) || failure.File == "" && entry == nil {
		return false
	}
	var err error
	if entry == nil {
		if entry, err = corpus.ReadFile(t.file(failure.File)); err != nil {
			f.warn(t, err)
			return false
		}
	}
	name := corpus.NameOf(entry)
	over, err := t.tally.Overrun(name)
	f.warn(t, err)
	if over != nil {
		failure.Class, failure.Place, failure.Log, failure.Hangs = over.Class,
			cmp.Or(over.Place, over.Class), over.Log, true
		if strings.HasPrefix(over.Class, "memory") || f.limitTime > 0 {
			failure.Note = "The limit is one of corpusgen fuzz: go test has none, so the input may pass there."
		}
		return true
	}
	if words, ok := t.lastWords(); ok {
		said := *failure
		said.Log, said.Place = words, cmp.Or(engine.PlaceOf(words), failure.Place)
		if said = classified(said, argsOf(entry)); placed(said) {
			if *failure = said; t.tally.Knows(said) {
				return false
			}
		}
	}
	r, err := f.newApart(t)
	if r == nil || err != nil {
		f.warn(t, err)
		return false
	}
	f.Status("%s: running %s again, alone", t.name, name)
	for n := 0; n < attempts && ctx.Err() == nil; n++ {
		end, err := r.run([][]byte{entry})
		if err != nil {
			f.warn(t, err)
			return false
		}
		if end.died {
			*failure = end.failure(*failure, argsOf(entry))
			return true
		}
	}
	failure.Note = fmt.Sprintf("Run alone %d times, the input does not end the process: an earlier one may "+
		"have begun what has ended it.", attempts)
	return false
}

// attempts is how often an input runs alone until it ends the process.
const attempts = 3

// minimize makes the input of a failure smaller, as long as it fails in the same way. The engine
// minimizes only what does not end the process, and of that only the bytes of one argument.
func (f *fuzzer) minimize(ctx context.Context, t *fuzzTarget, u *turn, failure *engine.Failure) {
	f.warn(t, t.tally.Refresh())
	if t.tally.Stats().Structured || !t.tally.Reported() {
		return // the bytes of a value are not what it consists of; or nothing is known of the target
	}
	if failure.Hangs || slices.ContainsFunc(f.Test, noMinimizing.MatchString) ||
		!strings.HasPrefix(filepath.ToSlash(failure.File), "testdata/fuzz/") {
		return
	}
	r, err := f.newApart(t)
	if r == nil || err != nil {
		f.warn(t, err)
		return
	}
	file, err := corpus.ReadFile(t.file(failure.File))
	if err == nil {
		var args []any
		if args, err = corpus.UnmarshalArgs(file); err == nil {
			args, err = f.reduce(ctx, r, failure, args)
		}
		if small := corpus.MarshalArgs(args); err == nil && !bytes.Equal(small, file) {
			err = u.replace(t, failure, small)
		}
	}
	f.warn(t, err)
}

// judgeSeed finds out whether the message of a seed that fails says what differs from one failure to
// the next. The seed is an entry, or in the failure's file.
func (f *fuzzer) judgeSeed(
	ctx context.Context, t *fuzzTarget, failure *engine.Failure, seed []byte,
) {
	args := argsOf(t.entry(*failure, seed))
	if args == nil || failure.Value != "" || failure.Hangs || !placed(*failure) {
		return
	}
	r, err := f.newApart(t)
	if r != nil && err == nil {
		red := f.reducer(ctx, r, failure)
		if err = red.again(failure, args); err == nil && failure.Note == "" {
			err = r.mark(failure, args)
		}
	}
	f.warn(t, err)
}

func (f *fuzzer) reducer(ctx context.Context, r *apartRun, failure *engine.Failure) *reducer {
	return &reducer{run: r.run, failure: *failure, stopped: func() bool { return ctx.Err() != nil }}
}

// reduce returns smaller arguments that fail as a failure does, of which it makes the failure tell,
// or args.
func (f *fuzzer) reduce(
	ctx context.Context, r *apartRun, failure *engine.Failure, args []any,
) ([]any, error) {
	red := f.reducer(ctx, r, failure)
	if err := red.again(failure, args); err != nil || failure.Note != "" {
		return args, err
	}
	small, err := red.reduce(args)
	if err != nil {
		return args, err
	}
	failure.Log = cmp.Or(red.log, failure.Log)
	if larger := failure.Class; !failure.Varies {
		if *failure = classified(*failure, small); failure.Class != larger {
			failure.Larger = larger
		}
	}
	return small, r.mark(failure, small)
}

// noMinimizing matches the flag that says not to minimize.
var noMinimizing = regexp.MustCompile(`^-test\.fuzzminimizetime=0(x|[a-zµ]+)?$`)

// replace saves another input for a failure.
func (u *turn) replace(t *fuzzTarget, failure *engine.Failure, file []byte) error {
	old := t.file(failure.File)
	path, _, err := corpus.Add(filepath.Dir(old), corpus.NameOf(file), file)
	if err != nil || path == old {
		return err
	}
	before, after := filepath.Base(old), filepath.Base(path)
	failure.File = strings.TrimSuffix(failure.File, before) + after
	failure.Rerun = strings.ReplaceAll(failure.Rerun, before, after)
	if u.seeds[before] {
		return nil
	}
	return os.Remove(old)
}

// file returns the path of a file of a failure.
func (t *fuzzTarget) file(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(t.pkg().Dir, filepath.FromSlash(name))
}

// place makes the path of a failure's file relative to the package. The engine gives an absolute
// one if TestMain has changed the directory: go test looks for the corpus there. From a temporary
// directory, the engine's edits have moved it into the package, where go test does not find it.
func (f *fuzzer) place(t *fuzzTarget, failure *engine.Failure) {
	rel, err := filepath.Rel(t.pkg().Dir, filepath.FromSlash(failure.File))
	if err != nil || !filepath.IsAbs(failure.File) {
		return
	}
	failure.File = filepath.ToSlash(rel)
	if filepath.IsLocal(rel) {
		failure.Rerun = ""
		f.Note("%s: TestMain changes to a temporary directory, where go test looks for testdata/fuzz: "+
			"to run the input again, add it by f.Add", t.name)
	}
}

// minimized returns the smaller entry to which fuzzext minimizes one whose value fails, and makes the
// failure tell of it. It returns the entry itself if that does not succeed.
func (r *apartRun) minimized(failure *engine.Failure, entry []byte) []byte {
	r.minimizes = true
	defer func() { r.minimizes = false }()
	end, err := r.run([][]byte{entry})
	if err != nil || end.died || len(end.fails) == 0 {
		return entry
	}
	log := end.fails[0].log
	lines := strings.Split(log, "\n")
	value, saved := section(lines, job.MinimalValue+", "), section(lines, job.SavedAs+":")
	if value == "" || saved == "" || engine.ClassOf(log) != failure.Class {
		return entry
	}
	small, err := corpus.ReadFile(r.t.file(saved))
	if err != nil {
		return entry
	}
	failure.Log, failure.Value, failure.Note = log, value, ""
	return small
}

// input returns the arguments of a failing input as Go writes them, a line each, or "".
func (t *fuzzTarget) input(failure engine.Failure) string {
	if failure.Value != "" || failure.File == "" {
		return ""
	}
	return argumentsOf(t.entry(failure, nil))
}

// entry returns the entry in the file of a failure, or else the seed, or nil.
func (t *fuzzTarget) entry(failure engine.Failure, seed []byte) []byte {
	if failure.File == "" {
		return seed
	}
	entry, err := corpus.ReadFile(t.file(failure.File))
	if err != nil {
		return nil
	}
	return entry
}

// argsOf returns the arguments in an entry, or nil.
func argsOf(entry []byte) []any {
	args, err := corpus.UnmarshalArgs(entry)
	if err != nil {
		return nil
	}
	return args
}

// argumentsOf returns the arguments in an entry, a line each.
func argumentsOf(entry []byte) string {
	_, lines, _ := strings.Cut(strings.TrimSpace(string(entry)), "\n")
	return lines
}
