package apitest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"go/version"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/espalier-go/espalier"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/apigen"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/loader"
	"github.com/espalier-go/espalier/internal/gorelease"
	"github.com/espalier-go/espalier/internal/safefile"
)

// A harness imports the library. If the main module does not require it, go commands get another
// go.mod, which has a copy of the library besides. All else stays as it is in the main module:
//
//   - The copy requires no module, so no other version of a dependency is chosen, and nothing is
//     fetched. It is made of what corpusgen has been built of.
//   - Its files, and the harness, ask for their release of Go by build constraints, so the main
//     module keeps its line go, and what that means for its code.

// library is the module of the library.
const library = "github.com/espalier-go/espalier"

// load reads a package whose tests can import the library.
func (r *apiRun) load(ctx context.Context, path string) (*apigen.Package, error) {
	given, _ := r.flags.Lookup("modfile")
	main, err := gotest.MainModFile(ctx, given)
	if err == nil && main.File != "" && main.Module.Path != library && !main.Requires(library) {
		err = r.lend(ctx, main)
	}
	if err != nil {
		return nil, err
	}
	if r.lent != "" && r.harness {
		return nil, errors.New("no harness is written: " + r.unlent())
	}
	pkg, err := apigen.Load(ctx, path, r.flags.BuildFlags(), nil)
	switch {
	case !errors.Is(err, apigen.ErrImport):
	case gotest.Workspace(ctx) != "":
		err = fmt.Errorf("%w\nOr set GOWORK=off: a module that builds without the workspace need not "+
			"require it", err)
	case r.vendored(main):
		err = fmt.Errorf("%w\nOr use -mod=mod: the directory vendor may lack packages of it", err)
	}
	return pkg, err
}

// lend makes go commands with the build flags of the run find the library.
func (r *apiRun) lend(ctx context.Context, main gotest.ModFile) error {
	from, err := copyLibrary(r.cache)
	if err != nil {
		return err
	}
	dir := filepath.Join(r.tmp, "module") // tests run beside it, and may look for a go.mod above them
	if err := os.Mkdir(dir, 0o777); err != nil {
		return err
	}
	flag, err := gotest.CopyModFile(ctx, main.File, dir,
		[]string{"-require=" + library + "@v0.0.0", "-replace=" + library + "=" + from})
	if err != nil {
		return err
	}
	if r.vendored(main) {
		r.Warn(fmt.Sprintf("corpusgen: the calls of %s use the versions of its dependencies in the module "+
			"cache, not their copies in the directory vendor, which lacks %s\n", main.Module.Path, library))
	}
	flags := *r.flags
	flags.Build = append(slices.Clip(flags.Build), flag, "-mod=readonly")
	r.flags, r.lent = &flags, main.Module.Path
	return nil
}

// vendored reports whether dependencies are in a directory of the main module.
func (r *apiRun) vendored(main gotest.ModFile) bool {
	if mod, isSet := r.flags.Lookup("mod"); isSet {
		return mod == "vendor"
	}
	_, err := os.Stat(filepath.Join(filepath.Dir(main.File), "vendor", "modules.txt"))
	return err == nil
}

// unlent says why a run leaves no harness, and what to do.
func (r *apiRun) unlent() string {
	return fmt.Sprintf("the module %s does not require %s, which a harness imports: run go get "+
		"%[2]s/fuzzext there first", r.lent, library)
}

// copyLibrary copies the library to a directory for later runs, which has a name of its content.
func copyLibrary(cache string) (dir string, err error) {
	release := strings.TrimPrefix(loader.Oldest, "go")
	files := map[string][]byte{"go.mod": fmt.Appendf(nil, "module %s\n\ngo %s\n", library, release)}
	err = fs.WalkDir(espalier.Sources, ".", func(path string, d fs.DirEntry, err error) error {
		isTest := strings.HasSuffix(path, "_test.go")
		if err != nil || d.IsDir() || isTest || filepath.Ext(path) != ".go" {
			return err
		}
		text, err := espalier.Sources.ReadFile(path)
		text = bytes.ReplaceAll(text, []byte(`"golang.org/x/exp/slices"`), []byte(`"slices"`))
		files[path] = modern(text)
		return err
	})
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintln(h, name, len(files[name]))
		h.Write(files[name])
	}
	dir = filepath.Join(cache, fmt.Sprintf("library-%x", h.Sum(nil)[:8]))
	if err == nil {
		err = safefile.WriteAll(dir, files)
	}
	return dir, err
}

// modern adds a build constraint to a file, by which it is compiled as a file of the library's
// release of Go, whatever its module asks for.
func modern(text []byte) []byte {
	release := version.Lang(gorelease.Least)
	head, _, _ := bytes.Cut(text, []byte("\npackage "))
	if at := constraint.FindSubmatchIndex(head); at != nil {
		return slices.Concat(text[:at[2]], fmt.Appendf(nil, "(%s) && %s", text[at[2]:at[3]], release),
			text[at[3]:])
	}
	return fmt.Appendf(nil, "//go:build %s\n\n%s", release, text)
}

var constraint = regexp.MustCompile(`(?m)^//go:build (.*)$`)
