package ossfuzz

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/exchange"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/libfuzzer"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
	"github.com/espalier-go/espalier/internal/corpus"
	"github.com/espalier-go/espalier/internal/safefile"
)

// coverageCorpora is the directory in which test binaries of a coverage build look for entries.
// It is linked into them, so it must be the same where they run.
const coverageCorpora = "/tmp/corpusgen-coverage"

// A coverageBuild is one run of `corpusgen oss-fuzz coverage`.
type coverageBuild struct {
	*session.Session
	module *gotest.Module
	binary map[string]string // of packages
}

func buildCoverage(ctx context.Context, args []string) error {
	r := &coverageBuild{Session: session.New("oss-fuzz"), binary: map[string]string{}}
	r.Own.StringVar(&r.Dir, "o", "", "")
	return r.Run(ctx, args, func() error {
		if r.Dir == "" {
			return session.Usagef("-o: name the directory to write to")
		}
		return nil
	}, r.run)
}

func (r *coverageBuild) run(ctx context.Context) (err error) {
	s := r.Session
	if len(s.Pkgs) == 0 {
		return session.ErrReported
	}
	if r.module, err = moduleOf(ctx, s.Pkgs, s.BuildFlags()); err != nil {
		return err
	}
	if err := takeDirectory(filepath.Join(s.Dir, "coverage")); err != nil {
		return err
	}
	self, err := os.Executable()
	if err == nil {
		err = copyProgram(filepath.Join(s.Dir, "coverage", "corpusgen"), self)
	}
	if err != nil {
		return err
	}
	return s.Each(ctx, r.target)
}

// scriptMark begins the programs of targets, after which only [coverageBuild] names its files.
const scriptMark = "#!/bin/sh -eu\n# Written by corpusgen oss-fuzz coverage.\n"

// takeDirectory makes a directory for programs, or takes one that it has made: a file tells.
func takeDirectory(dir string) error {
	mark := filepath.Join(dir, "written-by-corpusgen")
	if _, err := os.Lstat(mark); err == nil {
		return nil
	}
	if files, err := os.ReadDir(dir); len(files) > 0 || err != nil && !errors.Is(err, fs.ErrNotExist) {
		return errors.Join(err,
			fmt.Errorf("%s exists and is not of this kind: remove it, or name another directory", dir))
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	return safefile.Create(mark, dir,
		[]byte("Corpusgen oss-fuzz coverage replaces the files in this directory.\n"))
}

// target writes the program of a target.
func (r *coverageBuild) target(ctx context.Context, t *session.Target) error {
	types, err := exchange.Types(t, t.Seeds)
	if err != nil {
		return err
	}
	below := r.module.Below(t.Package)
	name := libfuzzer.BinaryName(below, t.Name)
	corpora := path.Join(coverageCorpora, libfuzzer.BinaryName(below, "corpora"))
	if r.binary[t.Package.Path] == "" {
		binary := libfuzzer.BinaryName(below, "test") + ".test"
		if err := r.build(ctx, t, filepath.Join(r.Dir, "coverage", binary), corpora); err != nil {
			return err
		}
		r.binary[t.Package.Path] = binary
	}
	var names []string
	for _, typ := range types {
		names = append(names, exchange.TypeList([]reflect.Type{typ}))
	}
	c := coverage{
		Target: t.Name, Package: t.Package.Path, Dir: t.Package.Dir,
		Corpus: path.Join(corpora, t.Name),
		Types:  strings.Join(names, ","),
		Binary: r.binary[t.Package.Path],
	}
	program := filepath.Join(r.Dir, name)
	if err := safefile.Replaceable(program, scriptMark); err != nil {
		return err
	}
	if err := safefile.Replaceable(program+".gocovpath", "s="+r.module.Path+"="); err != nil {
		return err
	}
	if err := safefile.WriteProgram(program, fill("coverage.sh", c)); err != nil {
		return err
	}
	// Profiles name files by import path; the coverage tool wants paths of files.
	sed := fmt.Sprintf("s=%s=%s=\n", r.module.Path, r.module.Dir)
	if err := safefile.Write(program+".gocovpath", []byte(sed)); err != nil {
		return err
	}
	r.Printf("%s: %s\n", gotest.Short(program), t.Label)
	return nil
}

// build builds the test binary of a package, with coverage of the module.
func (r *coverageBuild) build(ctx context.Context, t *session.Target, to, corpora string) error {
	link, err := t.LinkFlags("'-X=testing.corpusDir=" + corpora + "'")
	if err != nil {
		return err
	}
	args := slices.Concat([]string{"test", "-c", "-cover", "-coverpkg=" + r.module.Path + "/...",
		"-vet=off", "-o", to}, r.BuildFlags(), []string{link, t.Package.Path})
	if _, err := gotest.Output(ctx, args...); err != nil {
		return &session.BrokenError{Err: fmt.Errorf("%s: go test -c fails:\n%w", t.Package.Path, err)}
	}
	return nil
}

// copyProgram copies an executable file.
func copyProgram(to, from string) error {
	b, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return safefile.WriteProgram(to, b)
}

// entries turns inputs into corpus entries. It needs no Go installation.
func entries(ctx context.Context, args []string) error {
	own := session.NewFlagSet("oss-fuzz entries")
	list := own.String("types", "", "")
	dir := own.String("o", "", "")
	if err := session.Parse(own, args); err != nil {
		return err
	}
	to := &exchange.GoCorpus{Dir: *dir}
	for name := range strings.SplitSeq(*list, ",") {
		typ, ok := exchange.ArgumentType(name)
		if !ok {
			return session.UsageError{Msg: fmt.Sprintf("-types: %q is not a type of arguments", name)}
		}
		to.Types = append(to.Types, typ)
	}
	if *dir == "" || own.NArg() != 1 {
		return session.UsageError{Msg: "name a directory to write to, by -o, and one to read"}
	}
	files, err := os.ReadDir(own.Arg(0))
	if err != nil {
		return err
	}
	to.Open(*dir)
	failed := false
	for _, f := range files {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if f.IsDir() {
			continue
		}
		data, err := corpus.ReadFile(filepath.Join(own.Arg(0), f.Name()))
		if err == nil {
			_, _, err = to.Add(data)
		}
		if err != nil {
			failed = true
			session.Complain("%v", err)
		}
	}
	if failed {
		return session.ErrReported
	}
	return nil
}
