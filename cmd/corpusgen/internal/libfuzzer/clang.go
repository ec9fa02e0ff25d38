// Package libfuzzer makes a libFuzzer binary of a test binary that was built as a C archive
// with the overlay of [overlay.MakeLibFuzzer], and the files that belong beside it.
//
// [overlay.MakeLibFuzzer]:
// https://pkg.go.dev/github.com/espalier-go/espalier/cmd/corpusgen/internal/overlay
package libfuzzer

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// A Compiler is a clang that has libFuzzer.
type Compiler struct {
	Path      string
	tmp       string
	sanitizer string // further ones, as in ",address"
}

// install says where a clang with libFuzzer comes from.
const install = `install clang with its runtime:
	Debian, Ubuntu: apt-get install clang libclang-rt-14-dev (with the version of that clang)
	Fedora:         dnf install clang compiler-rt
	macOS:          brew install llvm (Apple's clang has no libFuzzer)
The flag -cc names another clang`

// Find returns the compiler of the given name, after it has linked an empty target. Its
// temporary files are in tmp. With asan, it links AddressSanitizer, too.
func Find(ctx context.Context, name, tmp string, asan bool) (*Compiler, error) {
	path, err := exec.LookPath(name)
	if err != nil {
		return nil, fmt.Errorf("a libFuzzer binary needs clang, and there is no %s; %s", name, install)
	}
	if path, err = filepath.Abs(path); err != nil {
		return nil, err
	}
	c := &Compiler{Path: path, tmp: tmp}
	if asan {
		c.sanitizer = ",address"
	}
	const empty = "#include <stddef.h>\nint LLVMFuzzerTestOneInput(const unsigned char *data, " +
		"size_t size) { return 0; }\n"
	if err := command(ctx, empty, path, "-fsanitize=fuzzer"+c.sanitizer, "-o",
		filepath.Join(tmp, "empty"), "-x", "c", "-"); err != nil {
		return nil, fmt.Errorf("%s cannot link a libFuzzer binary; %s\n%w", name, install, shortened{err})
	}
	return c, nil
}

// A shortened error has no lines longer than maxLine: clang prints the whole command of a linker
// that fails, before it says why.
type shortened struct{ error }

const maxLine = 200 // bytes

func (e shortened) Error() string {
	lines := strings.Split(e.error.Error(), "\n")
	for i, line := range lines {
		if len(line) > maxLine {
			lines[i] = line[:maxLine/2] + " ... " + line[len(line)-maxLine/2:]
		}
	}
	return strings.Join(lines, "\n")
}

func (e shortened) Unwrap() error { return e.error }

//go:embed glue/target.c
var entryPoints string

// Link links the target of the test binary in an archive into a binary at path. If it is
// structured, fuzzext mutates its inputs.
func (c *Compiler) Link(
	ctx context.Context, path string, a *cArchive, t target, structured bool,
) error {
	object, err := c.compile(ctx, t, structured)
	if err != nil {
		return err
	}
	args := append([]string{"-fsanitize=fuzzer" + c.sanitizer, "-o", path, object, a.path}, a.link...)
	return command(ctx, "", c.Path, append(args, systemLibraries()...)...)
}

// Add adds the entry points of the target to the archive, so that no more than
// -fsanitize=fuzzer is needed to link it.
func (c *Compiler) Add(ctx context.Context, archive string, t target, structured bool) error {
	object, err := c.compile(ctx, t, structured)
	if err != nil {
		return err
	}
	return command(ctx, "", "ar", "r", archive, object)
}

// compile returns the object file of the entry points.
func (c *Compiler) compile(
	ctx context.Context, t target, structured bool,
) (object string, err error) {
	object = filepath.Join(c.tmp, "target.o")
	dir := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(t.pkg.Dir)
	args := []string{"-c", "-O1", "-fPIC", "-DTARGET=\"" + t.name + "\"",
		"-DDIRECTORY=\"" + dir + "\"", "-o", object, "-x", "c", "-"}
	if structured {
		args = append([]string{"-DSTRUCTURED"}, args...)
	}
	return object, command(ctx, entryPoints, c.Path, args...)
}

// command runs a program. Its error has what the program prints.
func command(ctx context.Context, stdin, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Stdin = strings.NewReader(stdin)
	cmd.Env = append(os.Environ(), "ZERO_AR_DATE=1")
	out, err := cmd.CombinedOutput()
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		return fmt.Errorf("%s: %w\n%s", filepath.Base(name), err, strings.TrimSpace(string(out)))
	}
	return nil
}

// systemLibraries are those that every Go program needs.
func systemLibraries() []string {
	if runtime.GOOS == "darwin" {
		return []string{"-framework", "CoreFoundation", "-framework", "Security", "-lresolv"}
	}
	return []string{"-lpthread"}
}
