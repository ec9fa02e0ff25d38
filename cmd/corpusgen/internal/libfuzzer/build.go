package libfuzzer

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/campaign"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/instrument"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/overlay"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
	"github.com/espalier-go/espalier/internal/engine"
)

// errNotFuzzed is the error of a target that skips.
var errNotFuzzed = errors.New("left out, since it does not call F.Fuzz")

// A builder builds targets.
type builder struct {
	*session.Session        // whose Dir is for all targets
	file             string // of the only target; "" if there is a directory
	archive          bool
	clang            string // of -cc
	instrument       string // patterns, separated by commas; empty for the default

	cc      *Compiler
	goFlags []string // of go test -c
}

// prepare makes the overlay and the build flags.
func (b *builder) prepare(ctx context.Context) error {
	plan, err := campaign.Instrument(ctx, b.Session, b.instrument)
	if err != nil {
		return err
	}
	o, err := b.MakeOverlay(overlay.MakeLibFuzzer)
	if err != nil {
		return err
	}
	b.goFlags = slices.Concat(b.BuildFlags(session.LinkTag, overlay.LibFuzzerTag), b.LinkFlags(),
		b.Compile,
		[]string{"-buildmode=c-archive", "-overlay=" + o.File}, plan.Flags)
	return nil
}

// buildAll builds all targets. It prints the errors of those that cannot be built, which are
// left out.
func (b *builder) buildAll(ctx context.Context, targets []target) error {
	built := 0
	archives := map[string]*cArchive{}
	for _, t := range targets {
		a := archives[t.pkg.Path]
		if a == nil {
			a = b.archiveOf(ctx, t.pkg, filepath.Join(b.Tmp.Path, strconv.Itoa(len(archives))))
			archives[t.pkg.Path] = a
			b.complainOf(ctx, b.Complain, t.pkg.Path, a.err)
		}
		text, err := "", a.err
		if err == nil {
			text, err = b.buildTarget(ctx, t, a)
			b.complainOf(ctx, b.Output.Complain, t.label(), err)
		}
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case errors.Is(err, errNotFuzzed): // as go test, which passes
		case err != nil:
			b.Failed = true
		default:
			built++
			b.Printf("%s", text)
		}
	}
	if b.Failed || built == 0 {
		return session.ErrReported
	}
	return nil
}

// complainOf prints an error about something, unless an interrupt is its cause.
func (b *builder) complainOf(ctx context.Context, complain func(error), of string, err error) {
	if err != nil && ctx.Err() == nil {
		complain(fmt.Errorf("%s: %w", of, err))
	}
}

// A cArchive is the test binary of a package, as a C archive.
type cArchive struct {
	path string
	link []string // flags
	err  error    // why there is none
}

// archiveOf builds the test binary of a package in a new directory.
func (b *builder) archiveOf(ctx context.Context, pkg gotest.Package, dir string) *cArchive {
	a := &cArchive{path: filepath.Join(dir, "package.a")}
	if a.err = os.Mkdir(dir, 0o777); a.err != nil {
		return a
	}
	if a.err = campaign.CheckCorpora(b.Env, pkg); a.err != nil {
		return a
	}
	vars := []string{"CGO_ENABLED=1", "CC=" + b.cc.Path}
	all, err := instrument.FlagsForAll(b.Values("gcflags"))
	if err != nil {
		a.err = err
		return a
	}
	_, text, err := instrument.Build(ctx, b.Env, pkg, a.path, b.goFlags, all, vars...)
	if broken := (*gotest.BuildError)(nil); errors.As(err, &broken) {
		a.err = fmt.Errorf("go test -c fails:\n%w", err)
		return a
	} else if err != nil {
		a.err = err
		return a
	}
	b.Warn(text)
	a.err = b.readDeps(ctx, pkg, a)
	return a
}

// readDeps reads what the package, and those that its tests depend on, add to the link flags.
func (b *builder) readDeps(ctx context.Context, pkg gotest.Package, a *cArchive) error {
	type listed struct {
		Standard                 bool
		CgoLDFLAGS, CgoPkgConfig []string
	}
	flags := b.BuildFlags(session.LinkTag, overlay.LibFuzzerTag)
	deps, err := gotest.GoList[listed](ctx,
		slices.Concat([]string{"-deps", "-test", "-json=Standard,CgoLDFLAGS,CgoPkgConfig"}, flags,
			[]string{"--", pkg.Path})...)
	if err != nil {
		return err
	}
	for _, d := range deps {
		a.link = append(a.link, d.CgoLDFLAGS...)
		if len(d.CgoPkgConfig) > 0 && !d.Standard {
			out, err := exec.CommandContext(ctx, "pkg-config",
				append([]string{"--libs", "--"}, d.CgoPkgConfig...)...).Output()
			if err != nil {
				return fmt.Errorf("pkg-config --libs %s: %w", strings.Join(d.CgoPkgConfig, " "), err)
			}
			a.link = append(a.link, strings.Fields(string(out))...)
		}
	}
	return nil
}

// buildTarget builds one target, and the files beside it. It returns a line about them.
func (b *builder) buildTarget(ctx context.Context, t target, a *cArchive) (string, error) {
	path := filepath.Join(filepath.Dir(a.path), "target")
	if err := b.cc.Link(ctx, path, a, t, true); err != nil {
		return "", err
	}
	seeds, err := b.seeds(ctx, t, path)
	if err != nil {
		return "", err
	}
	switch {
	case b.archive:
		path = a.path
		err = b.cc.Add(ctx, path, t, seeds.Structured)
	case !seeds.Structured: // libFuzzer's own mutations work best without others
		err = b.cc.Link(ctx, path, a, t, false)
	}
	if err != nil {
		return "", err
	}
	return b.write(t, path, seeds, a)
}

// seeds runs a binary up to the call of F.Fuzz.
func (b *builder) seeds(ctx context.Context, t target, path string) (*engine.Seeds, error) {
	file := path + ".seeds"
	if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var out bytes.Buffer
	built := gotest.Built(b.Env, t.pkg, path)
	exit := built.Run(gotest.Process{
		Vars:      []string{engine.SeedsFile + "=" + file},
		Output:    &out,
		Interrupt: ctx,
		Kill:      ctx,
	})
	text, err := os.ReadFile(file)
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case exit.Err != nil:
		return nil, fmt.Errorf("the target fails before it calls F.Fuzz: %w\n%s", exit.Err,
			bytes.TrimSpace(out.Bytes()))
	case err != nil:
		return nil, errNotFuzzed
	}
	s := &engine.Seeds{}
	return s, json.Unmarshal(text, s)
}
