package instrument

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
)

// Parse returns the rules that instrument the packages that list, comma-separated
// package patterns as of `go list`, matches. A pattern that matches packages of this
// library and no others names them; all other patterns leave them out. A relative
// pattern with ... stands for all packages below the directory but vendored ones,
// even packages of another module.
//
// Parse runs `go list` in the current directory, with the build flags given, and
// returns an error if a pattern is malformed or matches nothing.
func Parse(ctx context.Context, list string, buildFlags ...string) ([]Rule, error) {
	var outside, inside []string // patterns that match something outside the library, and the others
	for pattern := range strings.SplitSeq(list, ",") {
		pattern = filepath.ToSlash(strings.TrimSpace(pattern))
		pkgs, err := matches(ctx, pattern, buildFlags)
		if err != nil {
			return nil, fmt.Errorf("cannot instrument %q: %w", pattern, err)
		}
		outsider := slices.ContainsFunc(pkgs, func(pkg string) bool { return !inLibrary(pkg) })
		switch {
		case !gotest.IsWild(pattern):
			// -gcflags knows relative directories, but no absolute ones.
			pattern = pkgs[0]
		case strings.HasPrefix(pattern, "./") || strings.HasPrefix(pattern, "../"):
			pattern = relative(pattern)
		}
		if outsider {
			outside = append(outside, pattern)
		} else {
			inside = append(inside, pattern)
		}
	}
	return ordered(outside, inside), nil
}

// matches returns the import paths of the packages, at least one, that match.
func matches(ctx context.Context, pattern string, buildFlags []string) ([]string, error) {
	switch {
	case pattern == "":
		return nil, fmt.Errorf("the pattern is empty")
	case strings.Contains(pattern, "="):
		return nil, fmt.Errorf("-gcflags allows no = in a pattern")
	case strings.HasSuffix(pattern, ".go"):
		return nil, fmt.Errorf("name a package, not a file")
	case filepath.IsAbs(pattern) && gotest.IsWild(pattern):
		return nil, fmt.Errorf("-gcflags allows no ... in an absolute path: make it relative to " +
			"the current directory")
	}
	args := slices.Concat([]string{"list"}, buildFlags, []string{"-find", "--", pattern})
	out, err := gotest.Output(ctx, args...)
	if err != nil {
		return nil, err
	}
	pkgs := strings.Fields(out)
	if len(pkgs) == 0 {
		return nil, fmt.Errorf("it matches no packages")
	}
	return pkgs, nil
}

// relative returns a relative pattern without redundant elements, and beginning in a
// way that tells it from an import path.
func relative(pattern string) string {
	pattern = path.Clean(pattern)
	if pattern == ".." || strings.HasPrefix(pattern, "../") {
		return pattern
	}
	return "./" + pattern
}
