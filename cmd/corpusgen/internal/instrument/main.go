package instrument

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
)

// CheckMain returns an error if a package that one of the patterns matches is
// outside the main module and the modules of the workspace. Fuzzing would write to
// its testdata directory, which the user does not own; `go test -fuzz` refuses it.
// CheckMain runs `go list` in the current directory, with the build flags given, and
// leaves the error of a package that cannot be found to others.
func CheckMain(ctx context.Context, patterns []string, buildFlags ...string) error {
	const format = `{{if .Standard}}std {{.ImportPath}}
{{else if .Module}}{{if not .Module.Main}}dependency {{.ImportPath}}
{{end}}{{end}}`
	out, err := gotest.Output(ctx, slices.Concat([]string{"list"}, buildFlags, []string{"-e", "-find", "-f", format, "--"}, patterns)...)
	if err != nil {
		return err
	}
	for line := range strings.Lines(out) {
		kind, pkg, found := strings.Cut(strings.TrimSpace(line), " ")
		if !found {
			continue
		}
		if kind == "std" {
			if own, err := inGOROOT(ctx); err != nil {
				return err
			} else if own {
				continue
			}
		}
		return fmt.Errorf("cannot fuzz %s: it is outside the main module", pkg)
	}
	return nil
}

// inGOROOT reports whether the main module is std or cmd.
func inGOROOT(ctx context.Context) (bool, error) {
	out, err := gotest.Output(ctx, "env", "GOROOT", "GOMOD")
	if err != nil {
		return false, err
	}
	goroot, gomod, _ := strings.Cut(out, "\n")
	rel, err := filepath.Rel(filepath.Join(goroot, "src"), strings.TrimSpace(gomod))
	return err == nil && filepath.IsLocal(rel), nil
}
