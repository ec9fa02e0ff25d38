package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/espalier-go/espalier/eval/others"
)

// A module is one that others wrote, at a version of the proxy.
type module struct {
	path, version string
	patterns      []string // the packages whose tests run
}

//go:embed modules.tsv
var list string

// modules returns the list.
func modules() (all []module) {
	_, rest, _ := strings.Cut(list, "\n")
	for line := range strings.Lines(rest) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		all = append(all, module{f[0], f[1], strings.Split(f[2], ",")})
	}
	return all
}

// file returns the base name of the file of the results.
func (m module) file() string {
	return regexp.MustCompile(`\W+`).ReplaceAllString(m.path, "-") + ".tsv"
}

const added = "espalier_unchanged_test.go" // to each package

// A tested package is one that has tests.
type tested struct {
	ImportPath, Dir, Name     string
	TestGoFiles, XTestGoFiles []string

	ownMain bool   // there is a TestMain
	binary  string // the name of the file that go test -c writes
}

// copyTo copies the module to a directory. There, it requires Espalier, and each package that has
// tests has one file more. It returns these packages.
func (m module) copyTo(ctx context.Context, lab *others.Lab, dir string) ([]tested, error) {
	if err := lab.Copy(ctx, m.path+"@"+m.version, dir); err != nil {
		return nil, err
	}
	out, err := others.Output(ctx, dir, "go", append([]string{"list", "-e",
		"-json=ImportPath,Dir,Name,TestGoFiles,XTestGoFiles"}, m.patterns...)...)
	if err != nil {
		return nil, err
	}
	var all []tested
	for decoder := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p tested
		if err := decoder.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			return nil, err
		}
		if len(p.TestGoFiles)+len(p.XTestGoFiles) == 0 {
			continue
		}
		if err := p.add(); err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	// what tests need besides is added to go.mod
	_, err = others.Output(ctx, dir, "go", append([]string{"list", "-e", "-deps", "-test"}, m.patterns...)...)
	return all, err
}

// add adds a file to the tests of a package, by which package point is linked, and tests can run
// in bubbles.
func (p *tested) add() error {
	for _, name := range append(p.TestGoFiles, p.XTestGoFiles...) {
		text, err := os.ReadFile(filepath.Join(p.Dir, name))
		if err != nil {
			return err
		}
		p.ownMain = p.ownMain || strings.Contains(string(text), "func TestMain(")
	}
	text := fmt.Sprintf("package %s_test\n\nimport _ %q\n", p.Name, others.Espalier+"/bigen/schedule/point")
	if !p.ownMain {
		text = strings.Replace(alone, "package unchanged", "package "+p.Name+"_test", 1)
	}
	p.binary = path.Base(p.ImportPath)
	if version.MatchString(p.binary) && path.Dir(p.ImportPath) != "." {
		p.binary = path.Base(path.Dir(p.ImportPath))
	}
	p.binary += ".test"
	return os.WriteFile(filepath.Join(p.Dir, added), []byte(text), 0o666)
}

var version = regexp.MustCompile(`^v\d+$`)

// alone is the file that is added to packages without a TestMain.
//
//go:embed testdata/alone.go.txt
var alone string
