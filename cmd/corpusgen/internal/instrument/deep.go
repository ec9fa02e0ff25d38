package instrument

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
)

// Build is [gotest.Build] of a package with flags of [Flags], whose packages are compiled with the
// flags all, too. Packages that do not link with instrumentation are compiled without it: functions
// that must not make their stacks larger (go:nosplit) may have no room. What the go command prints
// then names them.
func Build(
	ctx context.Context, env *gotest.Env, pkg gotest.Package, path string, flags []string, all string,
	vars ...string,
) (*gotest.Binary, string, error) {
	var without []string
	for {
		binary, text, err := gotest.Build(ctx, env, pkg, path, flags, vars...)
		var more []Rule
		if broken := (*gotest.BuildError)(nil); errors.As(err, &broken) {
			for _, p := range TooDeep(broken.Output) {
				if slices.Contains(without, p) {
					return nil, "", err
				}
				without, more = append(without, p), append(more, Rule{Pattern: p})
			}
		}
		if more == nil {
			for _, p := range without {
				text += "corpusgen: the coverage of " + p + " is not followed: a function there has no room " +
					"on its stack, which must not grow (go:nosplit)\n"
			}
			return binary, text, err
		}
		flags = append(slices.Clip(flags), Flags(more, all)...)
	}
}

// deep matches what the linker says of a function that must not make its stack larger (go:nosplit).
var deep = regexp.MustCompile(`(?m)^(\S+): nosplit stack over \d+ byte limit`)

// TooDeep returns the packages with functions that leave no room on their stacks for the calls of the
// instrumentation, given what the go command says of a build. Without instrumentation, they link.
func TooDeep(output string) (packages []string) {
	for _, m := range deep.FindAllStringSubmatch(output, -1) {
		slash := strings.LastIndexByte(m[1], '/') + 1
		name, _, _ := strings.Cut(m[1][slash:], ".")
		pkg := m[1][:slash] + strings.ReplaceAll(name, "%2e", ".")
		if !slices.Contains(never, pkg) && !slices.Contains(packages, pkg) {
			packages = append(packages, pkg)
		}
	}
	return packages
}
