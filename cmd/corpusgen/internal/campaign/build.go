package campaign

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/instrument"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
	"github.com/espalier-go/espalier/internal/corpus"
	"github.com/espalier-go/espalier/internal/engine"
	"github.com/espalier-go/espalier/internal/safefile"
)

// build builds the test binaries and sets the targets. It prints the errors of
// those that cannot be built.
func (f *fuzzer) build(ctx context.Context) error {
	flags := slices.Concat(f.BuildFlags(f.engine.tags...), f.LinkFlags(), f.Compile, f.engine.flags)
	n := 0
	for i, pkg := range f.Pkgs {
		dir := filepath.Join(f.Tmp.Path, strconv.Itoa(i))
		if err := os.Mkdir(dir, 0o777); err != nil {
			return err
		}
		if err := CheckCorpora(f.Env, pkg); err != nil {
			f.Complain(fmt.Errorf("%s: %w", pkg.Path, err))
			f.leaveOut(pkg, "there is a file in its corpora that cannot be read")
			continue
		}
		safefile.Sweep(filepath.Join(pkg.Dir, "testdata", "fuzz"))
		safefile.Sweep(gotest.FuzzCache(f.Env, pkg))
		err := f.buildPackage(ctx, pkg, dir, flags)
		if broken := (*gotest.BuildError)(nil); errors.As(err, &broken) {
			f.Complain(fmt.Errorf("%s: go test -c fails:\n%w", pkg.Path, err))
			f.leaveOut(pkg, "the package does not build")
			continue
		}
		if err != nil {
			return err
		}
		n += len(pkg.Targets)
	}
	engine.SetLogs(f.logs)
	f.schedule(n)
	return nil
}

// buildPackage builds the test binary of a package in dir, and adds its targets.
func (f *fuzzer) buildPackage(
	ctx context.Context, pkg gotest.Package, dir string, flags []string,
) error {
	f.Status("building the test binary of %s", pkg.Path)
	path, key := filepath.Join(dir, "fuzz.test"+f.Env.GOEXE), flags
	f.Kept.Restore(path, pkg, key)
	if f.engine.overlay != "" {
		file, err := withChecks(f.engine.overlay, pkg, dir)
		if err != nil {
			return err
		}
		flags = append(slices.Clip(flags), "-overlay="+file)
	}
	all, err := instrument.FlagsForAll(f.Values("gcflags"))
	if err != nil {
		return err
	}
	binary, text, err := instrument.Build(ctx, f.Env, pkg, path, flags, all)
	if err != nil {
		return err
	}
	f.Kept.Keep(path, pkg, key) // if that fails, the next run links another
	f.Warn(text)
	return f.add(binary, dir)
}

// schedule labels the targets, of which there are n, and shares the time among them.
func (f *fuzzer) schedule(n int) {
	var records []*Record
	for _, t := range f.targets {
		records = append(records, t.record)
		switch {
		case n == 1: // no label
		case len(f.Pkgs) == 1:
			t.label = t.name
		default:
			t.label = t.pkg().Path + " " + t.name
		}
	}
	f.rotation = NewRotation(records)
	f.left = math.Inf(1)
	if !f.limit.IsZero() {
		f.left = size(f.limit) * float64(n)
	}
}

// leaveOut records why the targets of a package are not fuzzed.
func (f *fuzzer) leaveOut(pkg gotest.Package, why string) {
	for _, name := range pkg.Targets {
		t := &fuzzTarget{
			name:   name,
			engine: session.EngineName(pkg, name),
			binary: &gotest.Binary{Package: pkg},
			unfit:  "not fuzzed: " + why,
		}
		f.unbuilt = append(f.unbuilt, t)
		f.Emit(endEvent{t.event("end"), "broken"})
	}
}

// CheckCorpora looks for files that the tests of a package would never finish reading.
func CheckCorpora(env *gotest.Env, pkg gotest.Package) error {
	seeds := gotest.Short(filepath.Join(pkg.Dir, "testdata", "fuzz"))
	dirs, _ := os.ReadDir(seeds) // usually there is none
	var errs []error
	for _, dir := range dirs {
		path := filepath.Join(seeds, dir.Name())
		errs = append(errs, safefile.Below(gotest.Short(pkg.Dir), path), corpus.Check(path))
	}
	for _, target := range pkg.Targets {
		errs = append(errs,
			corpus.Check(filepath.Join(gotest.FuzzCache(env, pkg), session.EngineName(pkg, target))))
	}
	return errors.Join(errs...)
}

// add adds the targets of a package, whose files are in dir.
func (f *fuzzer) add(binary *gotest.Binary, dir string) error {
	state, err := Load(filepath.Join(f.Cache, "state"), binary.Package.Path)
	if err != nil {
		f.Note("cannot read what earlier runs recorded, starting afresh: %v", err)
	}
	logs := binary.Package.Logs()
	f.logs = append(f.logs, logs...)
	for _, name := range binary.Package.Targets {
		t := &fuzzTarget{
			name:   name,
			engine: session.EngineName(binary.Package, name),
			binary: binary,
			state:  state,
			record: state.Record(name),
			marked: f.marked,
		}
		t.tally.Dir = filepath.Join(dir, name)
		if err := os.MkdirAll(t.tally.Dir, 0o777); err != nil {
			return err
		}
		if err := f.engine.tokens.Write(t.tally.Dir); err != nil {
			return err
		}
		text := strings.Join(logs, "\n")
		if err := os.WriteFile(filepath.Join(t.tally.Dir, engine.LogsFile), []byte(text), 0o666); err != nil {
			return err
		}
		f.targets = append(f.targets, t)
	}
	return os.Mkdir(filepath.Join(dir, "tmp"), 0o777)
}
