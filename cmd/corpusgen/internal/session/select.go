package session

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
)

// SelectTargets returns the packages that have targets that match, with only these targets. Of a
// folder of saved values, its test has to match. It is an error if a package cannot be read, if a
// pattern that names one package selects no target, or if nothing is selected.
func SelectTargets(
	pkgs []gotest.Package, patterns []string, match *regexp.Regexp,
) (selected []gotest.Package, errs []error) {
	for _, pkg := range pkgs {
		if pkg.Err != nil {
			errs = append(errs, inPackage(pkg))
			continue
		}
		pkg.Targets = slices.DeleteFunc(slices.Clone(pkg.Targets), func(target string) bool {
			return !match.MatchString(testOf(target))
		})
		if len(pkg.Targets) > 0 {
			selected = append(selected, pkg)
		}
	}
	broken := len(errs)
	isBroken := func(pkg gotest.Package) bool { return pkg.Err != nil }
	named := true // each pattern that promises a package has given a target
	for _, pattern := range patterns {
		from := matchedBy(pkgs, pattern)
		if gotest.IsWild(pattern) || len(matchedBy(selected, pattern)) > 0 ||
			slices.ContainsFunc(from, isBroken) {
			continue
		}
		named = false
		errs = append(errs, noTarget(match, pattern, from))
	}
	if len(selected) == 0 && named && (broken == 0 || broken < len(pkgs)) {
		errs = append(errs, noTarget(match, strings.Join(patterns, " "), pkgs))
	}
	return selected, errs
}

// matchedBy returns the packages that pattern matched. The go command does not list the
// patterns of every package that it cannot find.
func matchedBy(pkgs []gotest.Package, pattern string) []gotest.Package {
	var from []gotest.Package
	for _, pkg := range pkgs {
		if pkg.Path == pattern || slices.Contains(pkg.Matches, pattern) {
			from = append(from, pkg)
		}
	}
	return from
}

// inPackage returns the error of a package, with its name.
func inPackage(pkg gotest.Package) error {
	if pkg.Path == "" || strings.Contains(pkg.Err.Error(), pkg.Path) {
		return pkg.Err
	}
	return fmt.Errorf("%s: %w", pkg.Path, pkg.Err)
}

// noTarget returns an error that names the targets there are.
func noTarget(match *regexp.Regexp, where string, pkgs []gotest.Package) error {
	var b strings.Builder
	fmt.Fprintf(&b, "no fuzz target matches %q in %s", match, where)
	separator := "; there are:"
	for _, pkg := range pkgs {
		for _, target := range pkg.Targets {
			fmt.Fprintf(&b, "%s\n\t%s %s", separator, pkg.Path, target)
			separator = ""
		}
	}
	if separator != "" {
		b.WriteString("; there are no fuzz targets at all")
	}
	for _, pkg := range pkgs {
		for _, e := range pkg.Excluded() {
			if match.MatchString(e.Target) {
				fmt.Fprintf(&b, "\n%s has %s, but build constraints exclude that file: see -tags", e.File,
					e.Target)
			}
		}
	}
	return errors.New(b.String())
}
