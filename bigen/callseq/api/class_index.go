package api

import (
	"fmt"
	"reflect"
	"regexp"
	"runtime"
	"strings"

	"golang.org/x/exp/slices"
)

var (
	// outOfRange is what a [runtime.Error] says of an index, or of the bounds of a slice.
	outOfRange = regexp.MustCompile(`^runtime error: (?:index|slice bounds) out of range \[([-0-9:]+)\](?: with (?:length|capacity) (\d+))?`)
	badSize    = regexp.MustCompile(`^runtime error: makeslice: (?:len|cap) out of range`)
	// indexName is how parameters are called that are indexes or sizes.
	indexName = regexp.MustCompile(`(?i)^([i-n]|at|from|to|lo|low|hi|high|start|begin|end|stop|first|last|left|right|row|col|bit|x\d|y\d)\d*$|` +
		`idx|ind(ex|ices)|pos|off|size|len|cap|count|num|max|min|limit|width|height|bits`)
)

// bufferName is how parameters are called that a call writes to.
var bufferName = regexp.MustCompile(`(?i)^(dst|dest|buf|buffer|out|output|into|p)$`)

// A given is an argument of a call of the sequence that runs.
type given struct {
	op    *Op
	name  string // of the parameter
	value cell
}

// outOfIndexes reports whether a panic says that an index, or a size, is out of range which is
// an argument of the call, by its value and by the name of its parameter, or that such an argument
// is negative, or a buffer that is too small. That is a mistake of the caller.
func outOfIndexes(p any, args []given) bool {
	err, ok := p.(runtime.Error)
	if !ok {
		return false
	}
	size, index := badSize.MatchString(err.Error()), outOfRange.FindStringSubmatch(err.Error())
	return (size || index != nil) && slices.ContainsFunc(args, func(g given) bool {
		v := reflect.ValueOf(g.value.value())
		switch {
		case v.Kind() == reflect.Slice:
			return index != nil && bufferName.MatchString(g.name) && index[2] == fmt.Sprint(v.Len())
		case !indexName.MatchString(g.name): // a large number is not a coincidence
			return size && v.CanInt() && v.Int() < 0 || index != nil && v.CanInt() && (v.Int() < 0 || v.Int() > 9) && slices.Contains(strings.Split(index[1], ":"), fmt.Sprint(v))
		case v.CanInt() && v.Int() < 0, size && v.CanInt() && v.Int() > maxSize, size && v.CanUint() && v.Uint() > maxSize:
			return true
		}
		return index != nil && (v.CanInt() || v.CanUint()) && slices.Contains(strings.Split(index[1], ":"), fmt.Sprint(v))
	})
}

// maxSize is a size that no slice of a test has.
const maxSize = 1 << 30

// unhashable matches what a panic says if what an interface has cannot be the key of a map, or be
// compared. Callers know what can.
var unhashable = regexp.MustCompile(`hash of unhashable type|comparing uncomparable type`)

func isUnhashable(p any) bool {
	err, ok := p.(error)
	return ok && unhashable.MatchString(guarded(err.Error))
}
