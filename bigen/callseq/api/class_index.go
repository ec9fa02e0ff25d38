package api

import (
	"reflect"
	"regexp"
	"runtime"
	"strconv"
	"strings"

	"golang.org/x/exp/slices"
)

var (
	// outOfRange is what a [runtime.Error] says of an index, or of the bounds of a slice.
	outOfRange = regexp.MustCompile(`^runtime error: (?:index|slice bounds) out of range \[([-0-9:]+)\]`)
	badSize    = regexp.MustCompile(`^runtime error: makeslice: (?:len|cap) out of range`)
	// indexName is how parameters are called that are indexes or sizes.
	indexName = regexp.MustCompile(`(?i)^([i-n]|at|from|to|lo|low|hi|high|start|begin|end|stop|first|last|left|right|row|col|bit|x\d|y\d)\d*$|` +
		`idx|ind(ex|ices)|pos|off|size|len|cap|count|num|max|min|limit|width|height|bits`)
)

// A given is an argument of a call that runs.
type given struct {
	name  string // of the parameter
	value cell
	at    int    // among those that are traced
	was   []byte // the bytes of an argument that the call must leave as it is
}

// outOfIndexes reports whether a panic says that an index, or a size, is out of range which is
// an argument of the call, by its value and by the name of its parameter, or that such an argument
// is negative. That is a mistake of the caller.
func outOfIndexes(p any, args []given) bool {
	err, ok := p.(runtime.Error)
	if !ok {
		return false
	}
	text := err.Error()
	if badSize.MatchString(text) {
		return slices.ContainsFunc(indexes(args), func(n int64) bool { return n < 0 || n > maxSize })
	}
	found := outOfRange.FindStringSubmatch(text)
	if found == nil {
		return false
	}
	if slices.ContainsFunc(indexes(args), func(n int64) bool { return n < 0 }) {
		return true
	}
	return slices.ContainsFunc(strings.Split(found[1], ":"), func(s string) bool {
		n, err := strconv.ParseInt(s, 10, 64)
		if u, tooLarge := strconv.ParseUint(s, 10, 64); tooLarge == nil {
			n, err = int64(u), nil
		}
		return err == nil && slices.Contains(indexes(args), n)
	})
}

// maxSize is a size that no slice of a test has.
const maxSize = 1 << 30

// indexes returns the arguments of a call that may be indexes.
func indexes(args []given) (all []int64) {
	for _, g := range args {
		if !indexName.MatchString(g.name) {
			continue
		}
		switch v := reflect.ValueOf(g.value.value()); {
		case v.CanInt():
			all = append(all, v.Int())
		case v.CanUint():
			all = append(all, int64(v.Uint()))
		}
	}
	return all
}
