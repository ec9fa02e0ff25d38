package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
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

// file returns the file of the results of a module.
func (m module) file(results string) string {
	return filepath.Join(results, regexp.MustCompile(`\W+`).ReplaceAllString(m.path, "-")+".tsv")
}

const (
	espalier = "github.com/espalier-go/espalier"
	added    = "espalier_unchanged_test.go" // is added to each package
)

// A tested package is one that has tests.
type tested struct {
	ImportPath, Dir, Name     string
	TestGoFiles, XTestGoFiles []string

	ownMain bool   // there is a TestMain
	binary  string // the name of the file that go test -c writes
}

// copyTo copies the module to a directory. There, it requires Espalier, and each package that has
// tests has one file more. It returns these packages.
func (m module) copyTo(ctx context.Context, dir, root string) ([]tested, error) {
	out, err := output(ctx, "", "go", "mod", "download", "-json", m.path+"@"+m.version)
	if err != nil {
		return nil, err
	}
	var from struct{ Dir string }
	if err := json.Unmarshal(out, &from); err != nil {
		return nil, err
	}
	if err := os.CopyFS(dir, os.DirFS(from.Dir)); err != nil {
		return nil, err
	}
	if err := exec.Command("chmod", "-R", "u+w", dir).Run(); err != nil {
		return nil, err
	}
	if err := m.require(ctx, dir, root); err != nil {
		return nil, err
	}
	out, err = output(ctx, dir, "go", append([]string{"list", "-e",
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
	_, err = output(ctx, dir, "go", append([]string{"list", "-e", "-deps", "-test"}, m.patterns...)...)
	return all, err
}

// require makes the go.mod of a copy require Espalier, and forget what the module replaces by
// modules that are not in the copy. Language version and GODEBUG are the ones of Espalier.
func (m module) require(ctx context.Context, dir, root string) error {
	file := filepath.Join(dir, "go.mod")
	if _, err := os.Stat(file); err != nil {
		if err := os.WriteFile(file, []byte("module "+m.path+"\n"), 0o666); err != nil {
			return err
		}
	}
	out, err := output(ctx, dir, "go", "mod", "edit", "-json")
	if err != nil {
		return err
	}
	var mod struct {
		Replace []struct {
			Old, New struct{ Path, Version string }
		}
	}
	if err := json.Unmarshal(out, &mod); err != nil {
		return err
	}
	edit := []string{"mod", "edit", "-go=1.26.0", "-toolchain=none", "-require=" + espalier + "@v0.0.0",
		"-replace=" + espalier + "=" + root}
	for _, r := range mod.Replace {
		if r.New.Version == "" {
			edit = append(edit, "-dropreplace="+r.Old.Path)
		}
	}
	_, err = output(ctx, dir, "go", edit...)
	return err
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
	text := fmt.Sprintf("package %s_test\n\nimport _ %q\n", p.Name, espalier+"/bigen/schedule/point")
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
