package overlay

import ()

// LibFuzzerTag is the build tag that an overlay of [MakeLibFuzzer] needs. With it, the Go
// runtime tells libFuzzer of the coverage counters and of comparisons.
const LibFuzzerTag = "libfuzzer"

// MakeLibFuzzer is like [Make]. In a test binary with its overlay, built in the mode c-archive,
// F.Fuzz hands the fuzz function to libFuzzer. The C code that calls it is in package
// libfuzzer.
func MakeLibFuzzer(goroot, version, dir string) (*Overlay, error) {
	return libFuzzer.make(goroot, version, dir)
}

var libFuzzer = flavor{
	glue:   []string{"libfuzzer.go"},
	others: []string{"testing/fuzz.go", "runtime/libfuzzer.go"},
	adds: map[string][]byte{
		"runtime/espalier.go": []byte(runtimeTrace),
		"testing/espalier.go": []byte(testingTypes),
	},
	parts: []part{{"inputs", "", []anchor{
		{"worker.go", "function RunFuzzWorker with parameters ctx and fn",
			edit(inside,
				start("RunFuzzWorker", "(ctx context.Context, fn func(CorpusEntry) error)"),
				"\n\tespalierServe(fn)")},
		{"fuzz.go", "function CoordinateFuzzing with parameters ctx and opts",
			edit(inside,
				start("CoordinateFuzzing", "(ctx context.Context, opts CoordinateFuzzingOpts)"),
				"\n\tespalierSeeds(opts)")},
		// libFuzzer reads the counters itself
		{"coverage.go", "function SnapshotCoverage without parameters",
			edit(inside, start("SnapshotCoverage", "()"), "\n\treturn")},
		{"testing/fuzz.go", "assignment to types in (*F).Fuzz",
			edit(after, within("F", "Fuzz", "types = append(types, t)"), "\n\t\tespalierTypes = types")},
	}},
		{"comparisons", "mutation by structure does not see what the code compares its input with",
			[]anchor{
				{"runtime/libfuzzer.go", "functions libfuzzerTraceCmp1 to 8, libfuzzerTraceConstCmp1 to " +
					"8, libfuzzerHookStrCmp and libfuzzerHookEqualFold",
					comparisons(false, "\n\tif f := espalierNumber; f != nil && !f(fakePC, "+
						"uint64(arg0), uint64(arg1), %d, %t) {\n\t\treturn\n\t}",
						"(s1, s2 string, fakePC int)",
						"\n\tif f := espalierText; f != nil && !f(uint(fakePC), s1, s2) {\n\t\treturn\n\t}")},
			}}},
}

const runtimeTrace = `//go:build libfuzzer

package runtime

import _ "unsafe" // for go:linkname

// espalierNumber is told of each comparison of integers, unless it is nil. It reports whether
// libFuzzer must know, too.
//
//go:linkname espalierNumber
var espalierNumber func(pc uint, a, b uint64, size uint8, constant bool) bool

// espalierText is told of each comparison of strings.
//
//go:linkname espalierText
var espalierText func(pc uint, a, b string) bool
`

const testingTypes = `package testing

import (
	"reflect"
	_ "unsafe" // for go:linkname
)

// espalierTypes are the types of the arguments of the fuzz function.
//
//go:linkname espalierTypes
var espalierTypes []reflect.Type
`
