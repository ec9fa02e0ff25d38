package libfuzzer

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
)

// Build is `corpusgen libfuzzer`: it builds a binary for each target that the command line names.
func Build(ctx context.Context, args []string) error {
	b := &builder{Session: session.NewBuild("libfuzzer")}
	b.Own.StringVar(&b.Dir, "o", "", "")
	session.DefineForce(b.Own)
	b.Own.BoolVar(&b.archive, "archive", false, "")
	b.Own.StringVar(&b.clang, "cc", "clang", "")
	b.Own.StringVar(&b.instrument, "instrument", "", "")
	return b.Run(ctx, args, b.check, b.run)
}

// check checks the values of flags. It finds out whether -o names a directory.
func (b *builder) check() (err error) {
	if len(b.Args) > 0 || b.TestsSet() {
		return session.Usagef("libfuzzer builds binaries that take libFuzzer's flags only: " +
			"remove -args and the flags of the test binary")
	}
	if b.Given()["instrument"] && b.instrument == "" {
		return session.Usagef("-instrument: name at least one package")
	}
	for _, name := range []string{"overlay", "buildmode"} {
		if value, ok := b.Lookup(name); ok {
			return session.Usagef("-%s=%s: corpusgen libfuzzer sets this flag itself: remove "+
				"it, also from GOFLAGS", name, value)
		}
	}
	if race, _ := b.Lookup("race"); race == "true" {
		return session.Usagef("-race: the race detector cannot be linked with libFuzzer: both " +
			"have the runtime of a sanitizer. Import the corpus and run go test -race")
	}
	to := b.Dir
	info, missing := os.Stat(to)
	if to == "" || strings.HasSuffix(to, "/") ||
		strings.HasSuffix(to, string(filepath.Separator)) || missing == nil && info.IsDir() {
		b.Dir, err = filepath.Abs(to)
		return err
	}
	b.Dir = ""
	b.file, err = filepath.Abs(to)
	return err
}

func (b *builder) run(ctx context.Context) (err error) {
	if b.Failed {
		return session.ErrReported
	}
	if err := os.Setenv("TMPDIR", b.Tmp.Path); err != nil { // of linkers, which know no GOTMPDIR
		return err
	}
	asan, _ := b.Lookup("asan")
	if b.cc, err = Find(ctx, b.clang, b.Tmp.Path, asan == "true"); err != nil {
		return err
	}
	targets, err := b.name(ctx)
	if err != nil {
		return err
	}
	if err := b.prepare(ctx); err != nil {
		return err
	}
	return b.buildAll(ctx, targets)
}
