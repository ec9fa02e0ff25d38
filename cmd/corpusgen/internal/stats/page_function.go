package stats

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/coverage"
)

// maxFunctions is how many functions a table of the page has.
const maxFunctions = 500

// A Function is a row of the page: a function, and how many of its statements no entry reaches.
type Function struct {
	*coverage.Function
	Place   Link
	Missing int
}

// Functions are those of the files of a target. Functions that lack most come first: what they lack
// is reachable, since entries reach the function.
type Functions struct {
	Reached, Unreached int        // how many are reached, and how many are not
	First, Never       []Function // of them
}

// Cut reports whether functions are left out.
func (f *Functions) Cut() bool { return len(f.First)+len(f.Never) < f.Reached+f.Unreached }

// Functions returns the functions with statements, or nil if there are none.
func (t *Section) Functions() *Functions {
	all := &Functions{}
	for _, file := range t.Files {
		for _, f := range file.Functions {
			place := Link{fmt.Sprintf("%s:%d", f.Path, f.Line), t.line(f.Path, f.Line)}
			row := Function{f, place, f.Statements - f.Reached}
			switch {
			case f.Statements == 0:
			case f.Reached == 0:
				all.Never = append(all.Never, row)
			default:
				all.First = append(all.First, row)
			}
		}
	}
	all.Reached, all.Unreached = len(all.First), len(all.Never)
	if all.Reached+all.Unreached == 0 {
		return nil
	}
	all.First, all.Never = mostMissing(all.First), mostMissing(all.Never)
	return all
}

// mostMissing returns the functions that lack most, the one that lacks most first.
func mostMissing(list []Function) []Function {
	slices.SortStableFunc(list, func(a, b Function) int { return cmp.Compare(b.Missing, a.Missing) })
	return list[:min(maxFunctions, len(list))]
}
