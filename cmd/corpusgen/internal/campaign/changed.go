package campaign

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
)

// With -changed, the functions that the change touches say when they run: the overlay inserts
// a call at their beginning, and adds a file with the function called. So the explorers can
// favor inputs that reach them.

// changedFile is the file that the overlay adds to a package.
const changedFile = "espalier_changed.go"

const changedSource = `package %s

import (
	espalierAtomic "sync/atomic"
	_ "unsafe" // for go:linkname
)

//go:linkname espalierRan internal/fuzz.espalierChanged
var espalierRan uint32

func espalierChanged() { espalierAtomic.StoreUint32(&espalierRan, 1) }
`

// onlyChanged returns the packages whose tests depend on what has changed since the revision
// of -changed, and names the others.
func (f *fuzzer) onlyChanged(ctx context.Context) (reached []gotest.Package, err error) {
	change, err := gotest.ReadChange(ctx, f.changed)
	if err != nil {
		return nil, session.UsageError{Msg: "-changed: " + err.Error()}
	}
	for _, pkg := range f.Pkgs {
		yes, files, err := change.Reaches(ctx, pkg, f.BuildFlags()...)
		switch {
		case err != nil:
			return nil, err
		case yes:
			reached, f.touched = append(reached, pkg), append(f.touched, files...)
		default:
			f.Note("%s is left out: its tests depend on nothing that has changed since %s",
				pkg.Path, f.changed)
		}
	}
	return reached, nil
}

// markChanged has functions that the change touches say when they run, if the engine has an
// overlay.
func (f *fuzzer) markChanged() error {
	if len(f.touched) == 0 || f.engine.overlay == "" {
		return nil
	}
	others, err := gotest.ReadOverlay(f.engine.overlay)
	if err != nil {
		return err
	}
	replace := map[string]string{}
	dir := filepath.Join(f.Tmp.Path, "changed")
	if err := os.Mkdir(dir, 0o777); err != nil {
		return err
	}
	put := func(path string, source []byte) error {
		replace[path] = filepath.Join(dir, strconv.Itoa(len(replace))+".go")
		return os.WriteFile(replace[path], source, 0o666)
	}
	var functions []string
	for _, file := range f.touched {
		if _, ok := replace[file.Path]; ok {
			continue // packages have it in common
		}
		functions = append(functions, file.Functions...)
		source := file.Source
		if other, ok := others[file.Path]; ok { // with points, or checks for overflow
			if source, err = os.ReadFile(other); err != nil {
				return err
			}
		}
		marked, err := file.Mark(source, "espalierChanged();")
		if err == nil {
			err = put(file.Path, marked)
		}
		if err != nil {
			return err
		}
		added := filepath.Join(filepath.Dir(file.Path), changedFile)
		if _, ok := replace[added]; ok {
			continue
		}
		if err := put(added, fmt.Appendf(nil, changedSource, file.Package)); err != nil {
			return err
		}
	}
	f.Printf("corpusgen: favoring inputs that reach what has changed: %s\n",
		session.Names(functions, f.verbose()))
	path := filepath.Join(dir, "overlay.json")
	if err := gotest.WriteOverlay(path, f.engine.overlay, replace); err != nil {
		return err
	}
	f.engine.overlay, f.marked = path, true
	return nil
}
