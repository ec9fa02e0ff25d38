// Package instrument has the go command compile only the packages under test with
// the compiler's fuzzing instrumentation, where `go test -fuzz` instruments the
// standard library as well and then spends most of its time on its coverage.
//
//	rules := instrument.Default("example.com/module/parse")
//	args := append([]string{"test", "-c"}, instrument.Flags(rules, "")...)
//	cmd := exec.Command("go", append(args, "./parse")...)
//
// The build must be one without -fuzz, which would instrument all packages. The
// resulting test binary fuzzes if it is run with -test.fuzz. What the go command
// checks on account of -fuzz, [Packages.CheckMain] does.
//
// The flags are plain -gcflags. The go command tells packages that were compiled
// with different ones apart, so builds with and without instrumentation share the
// build cache, and with it the standard library of any other `go test`. They go
// together with -race, -msan, -asan, -cover, -toolexec and -overlay.
//
// A generic function is compiled, and instrumented, with the packages that
// instantiate it.
package instrument

import (
	"strings"
)

// A Rule says whether to instrument the packages that Pattern matches, which is as
// in the go command's -gcflags=pattern=flags. Of several rules that match a package
// the last one holds; without any, a package is not instrumented.
type Rule struct {
	Pattern    string
	Instrument bool
}

// instrumentation is the flag of the compiler. The go command's -fuzz adds it to the
// flags of a package, too.
const instrumentation = "-d=libfuzzer"

// never are the packages that the engine itself uses while the code under test
// runs. The go command never instruments them.
var never = []string{
	"context",
	"internal/fuzz",
	"internal/godebug",
	"internal/runtime/maps",
	"internal/sync",
	"reflect",
	"runtime",
	"sync",
	"sync/atomic",
	"syscall",
	"testing",
	"time",
}

// library are the trees of packages of this module that say nothing new when they are
// covered.
var library = []string{
	"github.com/espalier-go/espalier/bigen",
	"github.com/espalier-go/espalier/choices",
	"github.com/espalier-go/espalier/cmd",
	"github.com/espalier-go/espalier/contrib",
	"github.com/espalier-go/espalier/fuzzext",
	"github.com/espalier-go/espalier/internal",
	"github.com/espalier-go/espalier/mutate",
	"github.com/espalier-go/espalier/rl",
}

// Default returns the rules for a build of the tests of the packages with the given
// import paths: the packages of the main module, or of all modules of the workspace,
// are instrumented, but packages of this library only if they are under test
// themselves. Packages under test that belong to no module, in GOPATH or in the
// standard library, are instrumented alone.
func Default(underTest ...string) []Rule {
	return ordered([]string{"work"}, underTest)
}

// ordered returns the rules that instrument what patterns match: those outside, without this
// library, and those inside it.
func ordered(outside, inside []string) (rules []Rule) {
	for _, pattern := range outside {
		rules = append(rules, Rule{pattern, true})
	}
	for _, path := range library {
		rules = append(rules, Rule{path + "/...", false})
	}
	for _, pattern := range inside {
		rules = append(rules, Rule{pattern, true})
	}
	return rules
}

func inLibrary(pkg string) bool { return within(pkg, library) }

// Flags returns the flags for `go test -c` and `go build` that make the go command
// follow the rules, except that it never instruments packages that the engine needs
// while it watches others. Each package is compiled with the flags for all, see
// FlagsForAll, as well. The result must come after all other -gcflags.
func Flags(rules []Rule, all string) []string {
	flags := make([]string, 0, len(rules)+len(never))
	for _, r := range rules {
		compile := all
		if r.Instrument {
			compile = strings.TrimSpace(all + " " + instrumentation)
		}
		flags = append(flags, "-gcflags="+r.Pattern+"="+compile)
	}
	for _, path := range never {
		flags = append(flags, "-gcflags="+path+"="+all)
	}
	return flags
}
