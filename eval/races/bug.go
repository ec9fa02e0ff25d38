package main

import (
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// A bug is a line of races.tsv.
type bug struct {
	name          string
	before, after string // modules with their versions
	pkg           string // the directory of the package in the module
	race          bool   // shows only as a data race
	kind          string
	fix           string // an issue, a pull request or a commit
	what          string // goes wrong
}

//go:embed races.tsv
var table string

// tests are those of the bugs.
//
//go:embed testdata
var tests embed.FS

// bugs returns the table.
func bugs() (all []bug) {
	_, rest, _ := strings.Cut(table, "\n")
	for line := range strings.Lines(rest) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		all = append(all, bug{f[0], f[1], f[2], f[3], f[4] == "-race", f[5], f[6], f[7]})
	}
	return all
}

// file returns the file of the results of a bug.
func (b bug) file(results string) string { return filepath.Join(results, b.name+".json") }

// test returns the text of the test.
func (b bug) test() ([]byte, error) { return tests.ReadFile("testdata/" + b.name + "_test.go") }

const espalier = "github.com/espalier-go/espalier"

// copyTo copies a version of the module to a directory, where it requires Espalier, and the only
// test of the package is the one of the bug.
func (b bug) copyTo(ctx context.Context, version, dir, root string) error {
	out, err := output(ctx, "", "go", "mod", "download", "-json", version)
	if err != nil {
		return fmt.Errorf("download %s: %w\n%s", version, err, out)
	}
	var from struct{ Dir, Path string }
	if err := json.Unmarshal(out, &from); err != nil {
		return err
	}
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := os.CopyFS(dir, os.DirFS(from.Dir)); err != nil {
		return err
	}
	if err := exec.Command("chmod", "-R", "u+w", dir).Run(); err != nil {
		return err
	}
	if err := requireEspalier(ctx, from.Path, dir, root); err != nil {
		return err
	}
	pkg := filepath.Join(dir, filepath.FromSlash(b.pkg))
	theirs, err := filepath.Glob(filepath.Join(pkg, "*_test.go"))
	if err != nil {
		return err
	}
	for _, file := range theirs {
		if err := os.Remove(file); err != nil {
			return err
		}
	}
	text, err := b.test()
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(pkg, "espalier_race_test.go"), text, 0o666)
}

// requireEspalier makes the go.mod of a copy require Espalier, and forget what the module replaces
// by directories that are not in the copy. Language version and GODEBUG are the ones of Espalier.
func requireEspalier(ctx context.Context, path, dir, root string) error {
	file := filepath.Join(dir, "go.mod")
	if _, err := os.Stat(file); err != nil {
		if err := os.WriteFile(file, []byte("module "+path+"\n"), 0o666); err != nil {
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
	edit := []string{"mod", "edit", "-go=1.26.0", "-toolchain=none",
		"-require=" + espalier + "@v0.0.0", "-replace=" + espalier + "=" + root}
	for _, r := range mod.Replace {
		if r.New.Version == "" {
			edit = append(edit, "-dropreplace="+r.Old.Path)
		}
	}
	_, err = output(ctx, dir, "go", edit...)
	return err
}
