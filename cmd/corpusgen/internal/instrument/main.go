package instrument

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
)

// CheckMain returns an error if a package under test is outside the main module and the modules of
// the workspace. Fuzzing would write to its testdata directory, which the user does not own; `go
// test -fuzz` refuses it.
func (p *Packages) CheckMain(ctx context.Context) error {
	for _, pkg := range p.under {
		l := p.known[pkg]
		foreign := l.Module != nil && !l.Module.Main
		if l.Standard {
			own, err := inGOROOT(ctx)
			if err != nil {
				return err
			}
			foreign = !own
		}
		if foreign {
			return fmt.Errorf("cannot fuzz %s: it is outside the main module", pkg)
		}
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
