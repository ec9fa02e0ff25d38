// Package proptest writes property tests for the API of a package, and runs them once.
package proptest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/apigen"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
	"github.com/espalier-go/espalier/internal/safefile"
)

// usual is the name of the file, if -o does not name it.
const usual = "properties_test.go"

// A writing is one run of `corpusgen write`.
type writing struct {
	*session.Output
	flags *gotest.Flags
	env   *gotest.Env
	tmp   string
	file  string // of -o, absolute; "" if it is not set
	print bool
	v     bool
	time  time.Duration
}

// Run is `corpusgen write`.
func Run(ctx context.Context, args []string) error {
	own := session.NewFlagSet("write")
	w := &writing{flags: &gotest.Flags{Own: own}}
	own.StringVar(&w.file, "o", "", "")
	own.BoolVar(&w.print, "print", false, "")
	session.Renamed(own, "n", "print")
	own.BoolVar(&w.v, "v", false, "")
	own.DurationVar(&w.time, "time", 2*time.Minute, "")
	wd := own.String("C", "", "")
	if err := session.Parse(w.flags, args); err != nil {
		return err
	}
	if w.time <= 0 {
		return session.Usagef("-time %v: must be positive", w.time)
	}
	var err error
	if w.env, err = session.Settle(ctx, w.flags, *wd); err != nil {
		return err
	}
	if len(w.flags.Packages) == 0 {
		w.flags.Packages = []string{"."}
	}
	pkgs, err := gotest.List(ctx, w.flags.Packages, w.flags.BuildFlags()...)
	if err != nil {
		return err
	}
	if w.file != "" {
		if len(pkgs) > 1 {
			return session.Usagef("-o names one file for %d packages: name one package", len(pkgs))
		}
		if !strings.HasSuffix(w.file, "_test.go") {
			return session.Usagef("-o %s: the name must end in _test.go", w.file)
		}
		if w.file, err = filepath.Abs(w.file); err != nil {
			return err
		}
	}
	w.Output = session.NewOutput(false)
	defer w.Close()
	_, dir, err := session.TempDir()
	if err != nil {
		return err
	}
	defer dir.Remove()
	wrote, failed := 0, false
	for i, pkg := range pkgs {
		w.tmp = filepath.Join(dir.Path, fmt.Sprint(i))
		err := os.Mkdir(w.tmp, 0o777)
		if err == nil {
			err = w.write(ctx, pkg.Path)
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err != nil {
			w.Complain(err)
			failed = failed || !errors.As(err, new(unknownError))
		} else {
			wrote++
		}
	}
	if wrote == 0 || failed {
		return session.ErrReported
	}
	return nil
}

// An unknownError says that there is nothing to write about a package, as about some of many.
type unknownError struct {
	path string
	left []apigen.Left
}

func (e unknownError) Error() string {
	text := fmt.Sprintf("corpusgen knows no property of %s", e.path)
	for _, l := range e.left {
		text += fmt.Sprintf("\n%s: %s", l.Name, l.Why)
	}
	return text
}

// write writes the file of a package.
func (w *writing) write(ctx context.Context, path string) error {
	w.Status("reading the API of %s", path)
	pkg, err := apigen.Load(ctx, path, w.flags.BuildFlags(), nil)
	if err != nil {
		return err
	}
	c := &check{writing: w, pkg: pkg, file: w.file}
	if c.file == "" {
		if pkg.Module == "" || strings.HasPrefix(pkg.Dir, w.env.GOMODCACHE+string(filepath.Separator)) {
			return fmt.Errorf("%s is not in a module of yours, and corpusgen writes nothing there: "+
				"name a file of your own module by -o", path)
		}
		c.file = filepath.Join(pkg.Dir, usual)
	}
	c.errors = errorFile(c.file)
	if !w.print {
		for _, file := range []string{c.file, c.errors} {
			if err := session.Untouched(file, apigen.Written); err != nil {
				return err
			}
		}
	}
	taken, err := tests(c.file, c.errors)
	if err != nil {
		return err
	}
	if c.props, err = apigen.Suggest(pkg, taken); err != nil {
		return err
	}
	if err := c.run(ctx); err != nil {
		return err
	}
	w.Status("")
	if len(c.props.All)+len(c.fails) == 0 {
		return unknownError{path, c.props.Left()}
	}
	text, err := c.text()
	if err != nil {
		return err
	}
	if w.print {
		w.Print(w.Text, string(text))
	} else if err := c.writeErrors(); err != nil {
		return err
	} else if len(c.props.All) > 0 {
		if err := safefile.Write(c.file, text); err != nil {
			return err
		}
	}
	c.report()
	return nil
}

// head begins a file.
const head = "// Edit this file: the next run of corpusgen write does not touch it once it has " +
	"changed.\n\n"

var declared = regexp.MustCompile(`(?m)^(?:func|var|type|const) (\w+)`)

// tests returns the names that other test files in the directory of two files declare.
func tests(file, failing string) (names []string, err error) {
	paths, err := filepath.Glob(filepath.Join(filepath.Dir(file), "*_test.go"))
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		for _, m := range declared.FindAllStringSubmatch(string(text), -1) {
			if path != file && path != failing {
				names = append(names, m[1])
			}
		}
	}
	return names, err
}
