package ossfuzz

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
	"github.com/espalier-go/espalier/internal/corpus"
	"github.com/espalier-go/espalier/internal/safefile"
)

// An initializer is one run of `corpusgen oss-fuzz init`.
type initializer struct {
	*session.Session
	dir  string // for the files of OSS-Fuzz
	repo string // URL
	args []string
}

func initialize(ctx context.Context, args []string) error {
	r := &initializer{Session: session.New("oss-fuzz")}
	r.Own.StringVar(&r.dir, "dir", "oss-fuzz", "")
	r.Own.StringVar(&r.repo, "repo", "", "")
	return r.Run(ctx, args, func() error {
		if len(r.Packages) == 0 {
			r.Packages = []string{"./..."}
		}
		if r.Given()["fuzz"] {
			r.args = append(r.args, "-fuzz="+r.Match.String())
		}
		r.args = slices.Concat(r.args, r.BuildFlags(), r.Packages)
		return nil
	}, r.run)
}

func (r *initializer) run(ctx context.Context) (err error) {
	s := r.Session
	if len(s.Pkgs) == 0 {
		return session.ErrReported
	}
	m, err := moduleOf(ctx, s.Pkgs, s.BuildFlags())
	if err != nil {
		return err
	}
	if !sameDir(".", m.Dir) {
		return session.UsageError{Msg: fmt.Sprintf("build.sh runs at the top of the module: "+
			"add -C %s", gotest.Short(m.Dir))}
	}
	p, top, err := r.project(m)
	if err != nil {
		return err
	}
	s.Printf("%s in %s of %s\n", session.Count(len(s.Labels()), "fuzz target", "fuzz targets"),
		session.Count(len(s.Pkgs), "package", "packages"), m.Path)
	for _, f := range Files(p) {
		at := filepath.Join(top, filepath.FromSlash(f.Path))
		if !strings.HasPrefix(f.Path, ".") {
			at = filepath.Join(r.dir, f.Path)
		}
		if err := r.create(at, f); err != nil {
			return err
		}
	}
	r.next(ctx, m, p, top)
	if s.Failed {
		return session.ErrReported
	}
	return nil
}

// sameDir reports whether two paths are of the same directory.
func sameDir(a, b string) bool {
	x, err := os.Stat(a)
	y, err2 := os.Stat(b)
	return err == nil && err2 == nil && os.SameFile(x, y)
}

// moduleOf returns the module that has all the packages.
func moduleOf(ctx context.Context, pkgs []gotest.Package, flags []string) (*gotest.Module, error) {
	found, err := gotest.Modules(ctx, pkgs, flags...)
	if err != nil {
		return nil, err
	}
	for _, m := range found {
		switch {
		case m == nil || m.Dir == "":
			return nil, errors.New("the packages are in no module that is a directory: run " +
				"corpusgen oss-fuzz init in a module")
		case m.Path != found[0].Path:
			return nil, fmt.Errorf("the packages are of two modules, %s and %s: run corpusgen "+
				"oss-fuzz init in each, with another -dir", found[0].Path, m.Path)
		}
	}
	return found[0], nil
}

var (
	majorForm   = regexp.MustCompile(`^v[0-9]+$`)
	releaseForm = regexp.MustCompile(`^go1\.[0-9]+(\.[0-9]+)?$`)
	plainForm   = regexp.MustCompile(`^[\w./:@-]*$`)
)

// project returns what the files say, and the top of the repository.
func (r *initializer) project(m *gotest.Module) (p Project, top string, err error) {
	modulePath := m.Path
	if majorForm.MatchString(path.Base(modulePath)) {
		modulePath = path.Dir(modulePath)
	}
	p = Project{
		Name:      strings.ToLower(path.Base(modulePath)),
		Repo:      r.repo,
		Toolchain: "auto",
		Args:      r.args,
	}
	if releaseForm.MatchString(r.Env.GOVERSION) {
		p.Toolchain = r.Env.GOVERSION
	}
	top = m.Dir
	for dir := m.Dir; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, ".git")); err == nil {
			top = dir
			break
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	if rel, err := filepath.Rel(top, m.Dir); err == nil && rel != "." {
		p.Below = "/" + filepath.ToSlash(rel)
	}
	if p.Repo == "" {
		p.Repo = "https://" + repositoryOf(modulePath, p.Below)
	}
	for _, text := range []string{p.Repo, p.Below, p.Name} {
		if !plainForm.MatchString(text) {
			return p, top, session.UsageError{Msg: fmt.Sprintf("%q cannot stand in a "+
				"Dockerfile: only letters, digits and . / : @ _ - can", text)}
		}
	}
	return p, top, nil
}

// repositoryOf returns the path of a module's repository, without the path of the module in it.
func repositoryOf(modulePath, below string) string {
	parts := strings.Split(modulePath, "/")
	if slices.Contains([]string{"github.com", "bitbucket.org"}, parts[0]) && len(parts) > 3 {
		return strings.Join(parts[:3], "/")
	}
	return strings.TrimSuffix(modulePath, below)
}

// create writes a new file, or says that an old one differs.
func (r *initializer) create(to string, f File) error {
	name := gotest.Short(to)
	dir := filepath.Dir(to)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	write := safefile.Create
	if f.Exec {
		write = safefile.CreateProgram
	}
	err := write(to, dir, f.Data)
	if errors.Is(err, fs.ErrExist) {
		old, err := corpus.ReadFile(to)
		switch {
		case err != nil:
			return err
		case bytes.Equal(old, f.Data):
			r.Printf("%s is there already\n", name)
		default:
			r.Printf("%s stays as it is, and differs: to see how, move it away, and run this again\n", name)
		}
		return nil
	}
	if err != nil {
		return err
	}
	r.Printf("%s\n", name)
	return nil
}

// next says what remains to be done.
func (r *initializer) next(ctx context.Context, m *gotest.Module, p Project, top string) {
	const tool = "github.com/espalier-go/espalier/cmd/corpusgen"
	if out, err := gotest.Output(ctx, "mod", "edit", "-json", m.GoMod); err == nil {
		var mod struct{ Tool []struct{ Path string } }
		if json.Unmarshal([]byte(out), &mod) == nil &&
			!slices.ContainsFunc(mod.Tool, func(t struct{ Path string }) bool { return t.Path == tool }) {
			r.Note("%s lacks the tool that build.sh runs: run go get -tool %s", gotest.Short(m.GoMod), tool)
		}
	}
	r.outside(ctx, m, top)
	r.Printf("For OSS-Fuzz, fill in primary_contact, and copy %s to projects/%s of "+
		"github.com/google/oss-fuzz.\n", r.dir, p.Name)
	r.Printf("For ClusterFuzzLite, commit .clusterfuzzlite and .github/workflows.\n")
}

// outside names the modules outside of the repository that targets use, by a replace directive or
// a workspace: the image has only the repository.
func (r *initializer) outside(ctx context.Context, m *gotest.Module, top string) {
	type module struct {
		Path, Dir string
		Main      bool
		Replace   *struct{ Version string }
	}
	args := slices.Concat([]string{"-e", "-deps", "-test", "-json=Module"}, r.BuildFlags(),
		[]string{"--"}, r.Packages)
	deps, err := gotest.GoList[struct{ Module *module }](ctx, args...)
	if err != nil {
		r.Note("%v", err)
	}
	told := map[string]bool{}
	for _, dep := range deps {
		d := dep.Module
		if d == nil || d.Dir == "" || told[d.Path] ||
			!d.Main && (d.Replace == nil || d.Replace.Version != "") {
			continue
		}
		if rel, err := filepath.Rel(top, d.Dir); err == nil && filepath.IsLocal(rel) {
			continue
		}
		told[d.Path] = true
		by := "a replace directive"
		if d.Main {
			by = "go.work"
		}
		r.Note("%s is in %s by %s, which the build on the service does not see: require a "+
			"version of it in %s, or move it into the repository", d.Path, gotest.Short(d.Dir), by,
			gotest.Short(m.GoMod))
	}
}
