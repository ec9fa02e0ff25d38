package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// What a user waits for: go test -c of a file of properties, each of a type of its own, when
// everything else has been built. Half of it is linking.

// compiled has the n-th property of a file, by the library.
var compiled = map[string]struct{ imports, check string }{
	"ours": {`"github.com/espalier-go/espalier/bigen"; "github.com/espalier-go/espalier/fuzzext"`, `
	fuzzext.Check(t, bigen.Struct(func(c *bigen.C, r *R%[1]d) {
		bigen.At(c, &r.ID%[1]d, bigen.IntRange(0, 1000))
		bigen.At(c, &r.Name, bigen.String(20))
		bigen.At(c, &r.Tags, bigen.SliceOf(bigen.String(20), 0, 5))
	}), func(t *fuzzext.T, r R%[1]d) {
		if len(r.Tags) > 5 {
			t.Error("too many")
		}
	})`},
	"rapid": {`"pgregory.net/rapid"`, `
	gen := rapid.Custom(func(t *rapid.T) R%[1]d {
		return R%[1]d{
			ID%[1]d: rapid.IntRange(0, 1000).Draw(t, "ID"),
			Name: rapid.StringN(0, 20, -1).Draw(t, "Name"),
			Tags: rapid.SliceOfN(rapid.StringN(0, 20, -1), 0, 5).Draw(t, "Tags"),
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		if r := gen.Draw(t, "r"); len(r.Tags) > 5 {
			t.Error("too many")
		}
	})`},
}

// compileRuns is how often each file is built, after the first time.
const compileRuns = 5

// compiles compares the CPU seconds of go test -c of a file of n of our properties with the seconds
// of a file of m of a library.
func compiles(n int, library string, m int) measure {
	return func(run) (ours, base figure, err error) {
		return pair(func() (figure, error) { return compileCost("ours", n) },
			func() (figure, error) { return compileCost(library, m) })
	}
}

// compileCost returns the median of the CPU seconds of go test -c of a file, whose package is only
// in an overlay.
func compileCost(library string, n int) (figure, error) {
	return once(fmt.Sprint("compile ", library, n), func() (f figure, err error) {
		text := "package compiled\n\nimport (\"testing\"; " + compiled[library].imports + ")\n"
		for i := range n {
			text += fmt.Sprintf("type R%[1]d struct {\n\tID%[1]d int\n\tName string\n"+
				"\tTags []string\n}\n\nfunc Test%[1]d(t *testing.T) {"+compiled[library].check+"\n}\n", i+1)
		}
		dir, err := os.MkdirTemp(scratch, "compile-*")
		if err != nil {
			return f, err
		}
		file, overlay := filepath.Join(dir, "p_test.go"), filepath.Join(dir, "overlay.json")
		at, err := filepath.Abs("compiled/p_test.go")
		if err == nil {
			err = writeFile(overlay, fmt.Sprintf(`{"Replace": {%q: %q}}`, at, file))
		}
		var seconds []float64
		for i := 0; i <= compileRuns && err == nil; i++ {
			err = writeFile(file, text+strings.Repeat("// Again.\n", i)+"// "+filepath.Base(dir)+"\n")
			cmd := exec.Command("go", "test", "-c", "-vet=off", "-overlay="+overlay, "-o",
				filepath.Join(dir, "compiled.test"), "./compiled")
			if out, failed := cmd.CombinedOutput(); failed != nil {
				return f, fmt.Errorf("%s: %w\n%s", cmd, failed, out)
			}
			if i > 0 {
				seconds = append(seconds, cpuOf(cmd).Seconds())
			}
		}
		if err != nil {
			return f, err
		}
		return number(median(seconds)), nil
	})
}
