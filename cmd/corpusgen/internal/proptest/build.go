package proptest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/confine"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/mistake"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
)

// A made is a mistake that a process can make.
type made = mistake.Mistake

// build builds a test binary of the file alone: with the mistakes of the package, or, after go vet
// has passed, without.
func (c *check) build(ctx context.Context, mistaken bool) error {
	if !mistaken {
		if err := c.vet(ctx); err != nil {
			return err
		}
		c.mistakes = nil
		return c.compile(ctx, nil)
	}
	program, err := c.program(ctx)
	if err == nil {
		program, err = program.Build(ctx, func(g *mistake.Program) error { return c.compile(ctx, g.Texts) })
	}
	if err == nil {
		c.mistakes = slices.DeleteFunc(program.Mistakes, func(m made) bool {
			return m.Kind == mistake.Lock // only the race detector notices it
		})
		return nil
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	c.why = err.Error()
	return c.compile(ctx, nil)
}

// program returns the package with its mistakes.
func (c *check) program(ctx context.Context) (*mistake.Program, error) {
	if c.pkg.Module == "" {
		return nil, errors.New("tests themselves use the standard library")
	}
	if strings.HasPrefix(c.pkg.Dir, c.env.GOMODCACHE+string(filepath.Separator)) {
		return nil, errors.New("the go command does not replace files in the module cache")
	}
	pkg, err := c.pkg.Mistakes("", confine.Check() == nil)
	if err != nil {
		return nil, err
	}
	program, err := pkg.Compile(ctx)
	if err == nil && len(program.Mistakes) == 0 {
		err = errors.New("its code has none to make")
	}
	return program, err
}

// compile builds the test binary with other texts of files.
func (c *check) compile(ctx context.Context, texts map[string][]byte) error {
	overlay := map[string]string{}
	for path, text := range texts {
		overlay[path] = filepath.Join(c.tmp, "_"+filepath.Base(path))
		if err := os.WriteFile(overlay[path], text, 0o666); err != nil {
			return err
		}
	}
	list, err := c.overlay(overlay)
	if err != nil {
		return err
	}
	flags := slices.Concat(c.flags.BuildFlags(session.LinkTag), c.flags.LinkFlags(),
		[]string{"-vet=off", "-overlay=" + list})
	binary := filepath.Join(c.tmp, "properties.test"+c.env.GOEXE)
	built, warnings, err := gotest.Build(ctx, c.env, c.tests(), binary, flags)
	if broken := (*gotest.BuildError)(nil); errors.As(err, &broken) && texts == nil {
		return fmt.Errorf("the tests of %s do not compile, which is an error of corpusgen:\n%w",
			c.pkg.Path, err)
	} else if err != nil {
		return err
	}
	c.Warn(warnings)
	c.binary = built
	return nil
}

// tests is the package of the file.
func (c *check) tests() gotest.Package {
	pkg := gotest.Package{Path: c.pkg.Path, Dir: c.pkg.Dir}
	if dir := filepath.Dir(c.file); dir != pkg.Dir {
		pkg.Path = dir
	}
	return pkg
}

// overlay writes the list of an overlay with the file as it is now, without other tests. It returns
// its path.
func (c *check) overlay(more map[string]string) (list string, err error) {
	text, err := c.text()
	if err != nil {
		return "", err
	}
	overlay := map[string]string{c.file: filepath.Join(c.tmp, "file")}
	if err := os.WriteFile(overlay[c.file], text, 0o666); err != nil {
		return "", err
	}
	maps.Copy(overlay, more)
	others, err := filepath.Glob(filepath.Join(filepath.Dir(c.file), "*_test.go"))
	for _, path := range others {
		if path != c.file {
			overlay[path] = ""
		}
	}
	list = filepath.Join(c.tmp, "overlay.json")
	if err == nil {
		err = gotest.WriteOverlay(list, "", overlay)
	}
	return list, err
}

// vet drops the properties about which go vet complains.
func (c *check) vet(ctx context.Context) error {
	for {
		list, err := c.overlay(nil)
		if err != nil {
			return err
		}
		text, err := c.text()
		if err != nil {
			return err
		}
		args := slices.Concat([]string{"vet"}, c.flags.BuildFlags(),
			[]string{"-overlay=" + list, c.tests().Path})
		if _, err = gotest.Output(ctx, args...); err == nil || !c.dropVetted(string(text), err.Error()) {
			return nil
		}
	}
}

// dropVetted drops the properties that go vet names, and reports whether there are some.
func (c *check) dropVetted(text, vetted string) (found bool) {
	file := regexp.QuoteMeta(filepath.Base(c.file))
	place := regexp.MustCompile(`(?m)^.*` + file + `:(\d+):\d+: (.*)$`)
	for _, m := range place.FindAllStringSubmatch(vetted, -1) {
		line, _ := strconv.Atoi(m[1])
		name := ""
		for _, l := range strings.Split(text, "\n")[:line] {
			if after, ok := strings.CutPrefix(l, "func "); ok {
				name, _, _ = strings.Cut(after, "(")
			}
		}
		n := len(c.props.All)
		c.props.Drop(name, "go vet says of its property: "+m[2])
		found = found || len(c.props.All) < n
	}
	return found
}
