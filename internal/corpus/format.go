// Package corpus reads and writes the seed corpus of a fuzz target that takes
// one []byte, in the file format of Go's fuzzing engine.
//
// The engine reads every file in testdata/fuzz/FuzzXxx and fails the target on the first
// file that it cannot parse. So [Write] creates whole files, and changes none:
//
//	path, isNew, err := corpus.Write("testdata/fuzz/FuzzInsert", entry)
//
// [WriteArgs] and [UnmarshalArgs] do the same for targets that take other arguments.
package corpus

import (
	"fmt"
	"go/ast"
	"strconv"
)

// version is the first line of a corpus file, the only one that engines know.
const version = "go test fuzz v1"

// Marshal returns the file that holds b as the only argument, byte for byte as
// the engine writes it.
func Marshal(b []byte) []byte {
	return fmt.Appendf(nil, "%s\n[]byte(%q)\n", version, b)
}

// Name returns the name that the engine gives to the file of b: the first 16
// hexadecimal digits of the SHA-256 of [Marshal](b).
func Name(b []byte) string { return NameOf(Marshal(b)) }

// Unmarshal returns the []byte that a corpus file holds. It accepts what the
// engine accepts for a target that takes one []byte: carriage returns, blank
// lines, white space around a value, and any Go string literal. It returns an
// error for an unknown version, a value that is not a []byte, and any number of
// values except one.
func Unmarshal(file []byte) ([]byte, error) {
	args, err := UnmarshalArgs(file)
	if err != nil {
		return nil, err
	}
	if len(args) != 1 {
		return nil, fmt.Errorf("%d values: the target takes one []byte", len(args))
	}
	data, ok := args[0].([]byte)
	if !ok {
		return nil, fmt.Errorf("a value of type %T: the target takes one []byte", args[0])
	}
	return data, nil
}

func isByteSlice(typ ast.Expr) bool {
	array, ok := typ.(*ast.ArrayType)
	if !ok || array.Len != nil {
		return false
	}
	elt, ok := array.Elt.(*ast.Ident)
	return ok && elt.Name == "byte"
}

// abbreviate quotes b for an error, which should not be as long as a file.
func abbreviate(b []byte) string {
	const limit = 60
	if len(b) <= limit {
		return strconv.Quote(string(b))
	}
	return strconv.Quote(string(b[:limit])) + "..."
}
