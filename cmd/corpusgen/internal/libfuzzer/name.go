package libfuzzer

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
)

// A target is a target to be built.
type target struct {
	pkg  gotest.Package
	name string
	file string // to write, absolute
}

// label is what messages call the target.
func (t target) label() string { return t.pkg.Path + " " + t.name }

// name returns the targets of packages with the files to write.
func (b *builder) name(ctx context.Context) ([]target, error) {
	var targets []target
	taken := map[string]string{}
	for _, pkg := range b.Pkgs {
		where, err := b.place(ctx, pkg)
		if err != nil {
			return nil, err
		}
		for _, name := range pkg.Targets {
			t := target{pkg, name, b.fileOf(where, name)}
			if other := taken[t.file]; b.file == "" && other != "" {
				return nil, fmt.Errorf("%s and %s would both become %s: build them one by one, "+
					"with -fuzz and -o FILE",
					other, t.label(), filepath.Base(t.file))
			}
			taken[t.file] = t.label()
			targets = append(targets, t)
		}
	}
	if b.file != "" && len(targets) > 1 {
		return nil, session.Usagef("-o names one file, and there are %d targets: use -o DIR/, "+
			"or -fuzz", len(targets))
	}
	return targets, nil
}

// place returns the path of a package in its module, if it has one, or the last part of its path.
func (b *builder) place(ctx context.Context, pkg gotest.Package) (string, error) {
	modules, err := gotest.Modules(ctx, []gotest.Package{pkg}, b.BuildFlags()...)
	if err != nil {
		return "", err
	}
	if len(modules) == 1 && modules[0] != nil {
		return modules[0].Below(pkg), nil
	}
	return path.Base(pkg.Path), nil
}

// fileOf returns the file to write for a target: the one of -o, or one in a directory.
func (b *builder) fileOf(where, name string) string {
	if b.file != "" {
		return b.file
	}
	file := filepath.Join(b.Dir, BinaryName(where, name))
	if b.archive {
		file += ".a"
	}
	return file
}

// BinaryName returns the name of a target's binary, which has lower-case letters, digits and _
// only: fuzz_parse_query for FuzzQuery of the package parse.
func BinaryName(pkg, target string) string {
	var b strings.Builder
	b.WriteString("fuzz_")
	if pkg != "" {
		b.WriteString(lower(pkg) + "_")
	}
	b.WriteString(strings.TrimPrefix(lower(strings.TrimPrefix(target, "Fuzz")), "_"))
	return strings.TrimRight(b.String(), "_")
}

// lower returns s in lower case, with _ before each word that an upper-case letter begins, and in
// place of other characters.
func lower(s string) string {
	runes := []rune(s)
	var b strings.Builder
	for i, r := range runes {
		switch {
		case r < unicode.MaxASCII && (unicode.IsLower(r) || unicode.IsDigit(r)):
			b.WriteRune(r)
		case r < unicode.MaxASCII && unicode.IsUpper(r):
			begins := i > 0 && (!unicode.IsUpper(runes[i-1]) ||
				i+1 < len(runes) && unicode.IsLower(runes[i+1]))
			if begins && !strings.HasSuffix(b.String(), "_") && b.Len() > 0 {
				b.WriteByte('_')
			}
			b.WriteRune(unicode.ToLower(r))
		case !strings.HasSuffix(b.String(), "_"):
			b.WriteByte('_')
		}
	}
	return b.String()
}
