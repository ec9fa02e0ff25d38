package apitest

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/apigen"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
)

// elsewhereFile is for a moment beside tests, to run them elsewhere.
const elsewhereFile = "callseq_elsewhere_test.go"

// InElsewhere returns the name of the test that runs another one elsewhere.
func InElsewhere(name string) string { return name + "_elsewhere" }

// Elsewhere returns a file with a test for each test of another file: it runs that one where the time
// is another one, and the time zone, and the home directory. What fails there would fail some day, or
// on another machine. Before Go 1.25, the file has no test.
func Elsewhere(tests []byte) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "//go:build go1.25\n\n%s%s", clause.Find(tests), `
import (
	"testing"
	elsewhereSync "testing/synctest"
	elsewhereTime "time"
)

func elsewhereDo(t *testing.T, test func(*testing.T)) {
	t.Setenv("HOME", "/home/elsewhere")
	t.Setenv("USERPROFILE", "C:\\Users\\elsewhere")
	before := elsewhereTime.Local
	defer func() { elsewhereTime.Local = before }()
	elsewhereTime.Local = elsewhereTime.FixedZone("", 5*60*60+45*60)
	elsewhereSync.Test(t, test) // it is the year 2000
}
`)
	for _, m := range testFunc.FindAllSubmatch(tests, -1) {
		fmt.Fprintf(&b, "\nfunc %s(t *testing.T) { elsewhereDo(t, %[2]s) }\n", InElsewhere(string(m[1])), m[1])
	}
	return b.Bytes()
}

var (
	clause   = regexp.MustCompile(`(?m)^package \w+\n`)
	testFunc = regexp.MustCompile(`(?m)^func (Test\w+)\(t \*testing\.T\)`)
)

// everywhere returns the tests that do not fail elsewhere. A test that cannot run there, since it
// waits for goroutines of the package, has not failed.
func (g *generation) everywhere(ctx context.Context, b *gotest.Binary, tests []apigen.Func) []apigen.Func {
	run := func(tests ...apigen.Func) (output string, err error) {
		var names []string
		for _, f := range tests {
			names = append(names, InElsewhere(f.Name))
		}
		limited, cancel := context.WithTimeout(ctx, 12*apiPatience)
		defer cancel()
		return g.start(limited, b, "", strings.Join(names, "|"), nil)
	}
	if _, err := run(tests...); err == nil {
		return tests
	}
	return slices.DeleteFunc(slices.Clone(tests), func(f apigen.Func) bool {
		output, err := run(f)
		return err != nil && differs.MatchString(output)
	})
}

// differs matches what a regression test prints of a difference.
var differs = regexp.MustCompile(`(?m)^ +` + regexp.QuoteMeta(regressionFile) + `:\d+: `)
