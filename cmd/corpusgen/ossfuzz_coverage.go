package main

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/ossfuzz"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/signature"
	"github.com/espalier-go/espalier/internal/atomicfile"
	"github.com/espalier-go/espalier/internal/corpus"
)

// coverageCorpora is the directory in which test binaries of a coverage build look for entries.
// It is linked into them, so it must be the same where they run.
const coverageCorpora = "/tmp/corpusgen-coverage"

// A coverageBuild is one run of `corpusgen oss-fuzz coverage`.
type coverageBuild struct {
	*session
	module *goModule
	binary map[string]string // of packages
}

func coverOSSFuzz(ctx context.Context, args []string) error {
	r := &coverageBuild{binary: map[string]string{}}
	s, err := newSession(ctx, "oss-fuzz", args, func(s *session) {
		s.Own.StringVar(&s.dir, "o", "", "")
	}, func(s *session) error {
		if s.dir == "" {
			return usageError{"-o: name the directory to write to"}
		}
		return nil
	})
	if err != nil {
		return err
	}
	defer s.close()
	r.session = s
	if len(s.pkgs) == 0 {
		return errReported
	}
	if r.module, err = moduleOf(ctx, s.pkgs, s.BuildFlags()); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(s.dir, "coverage"), 0o777); err != nil {
		return err
	}
	self, err := os.Executable()
	if err == nil {
		err = copyProgram(filepath.Join(s.dir, "coverage", "corpusgen"), self)
	}
	if err != nil {
		return err
	}
	return s.each(ctx, r.target)
}

// target writes the program of a target.
func (r *coverageBuild) target(ctx context.Context, t *userTarget) error {
	types, err := t.types(t.seeds)
	if err != nil {
		return err
	}
	below := strings.TrimPrefix(strings.TrimPrefix(t.pkg.Path, r.module.Path), "/")
	name := binaryName(below, t.name)
	corpora := path.Join(coverageCorpora, binaryName(below, "corpora"))
	if r.binary[t.pkg.Path] == "" {
		binary := binaryName(below, "test") + ".test"
		if err := r.build(ctx, t, filepath.Join(r.dir, "coverage", binary), corpora); err != nil {
			return err
		}
		r.binary[t.pkg.Path] = binary
	}
	var names []string
	for _, typ := range types {
		names = append(names, typeList([]reflect.Type{typ}))
	}
	c := ossfuzz.Coverage{
		Target: t.name, Package: t.pkg.Path, Dir: t.pkg.Dir,
		Corpus: path.Join(corpora, t.name),
		Types:  strings.Join(names, ","),
		Binary: r.binary[t.pkg.Path],
	}
	program := filepath.Join(r.dir, name)
	if err := writeProgram(program, c.Script()); err != nil {
		return err
	}
	// Profiles name files by import path; the coverage tool wants paths of files.
	sed := fmt.Sprintf("s=%s=%s=\n", r.module.Path, r.module.Dir)
	if err := atomicfile.Write(program+".gocovpath", []byte(sed)); err != nil {
		return err
	}
	r.printf("%s: %s\n", gotest.Short(program), t.label)
	return nil
}

// build builds the test binary of a package, with coverage of the module.
func (r *coverageBuild) build(ctx context.Context, t *userTarget, to, corpora string) error {
	link, err := t.linkFlags("'-X=testing.corpusDir=" + corpora + "'")
	if err != nil {
		return err
	}
	args := slices.Concat([]string{"test", "-c", "-cover", "-coverpkg=" + r.module.Path + "/...", "-vet=off", "-o", to}, r.BuildFlags(), []string{link, t.pkg.Path})
	if _, err := gotest.Output(ctx, args...); err != nil {
		return &brokenError{fmt.Errorf("%s: go test -c fails:\n%w", t.pkg.Path, err)}
	}
	return nil
}

// copyProgram copies an executable file.
func copyProgram(to, from string) error {
	b, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return writeProgram(to, b)
}

func writeProgram(to string, b []byte) error {
	if err := atomicfile.Write(to, b); err != nil {
		return err
	}
	return makeExecutable(to)
}

// makeExecutable lets those run a file who may read it.
func makeExecutable(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	return os.Chmod(path, info.Mode()|info.Mode()&0o444>>2)
}

// entriesOSSFuzz turns inputs into corpus entries. It needs no Go installation.
func entriesOSSFuzz(ctx context.Context, args []string) error {
	own := newFlagSet("oss-fuzz entries")
	list := own.String("types", "", "")
	dir := own.String("o", "", "")
	if err := parse(own, args); err != nil {
		return err
	}
	to := &goCorpus{dir: *dir}
	for name := range strings.SplitSeq(*list, ",") {
		typ, ok := signature.Type(name)
		if !ok {
			return usageError{fmt.Sprintf("-types: %q is no type of arguments", name)}
		}
		to.types = append(to.types, typ)
	}
	if *dir == "" || own.NArg() != 1 {
		return usageError{"name a directory to write to, by -o, and one to read"}
	}
	files, err := os.ReadDir(own.Arg(0))
	if err != nil {
		return err
	}
	to.open(*dir)
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
			_, _, err = to.add(data)
		}
		if err != nil {
			failed = true
			complain("%v", err)
		}
	}
	if failed {
		return errReported
	}
	return nil
}
