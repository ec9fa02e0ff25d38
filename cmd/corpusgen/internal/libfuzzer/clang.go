// Package libfuzzer makes a libFuzzer binary of a test binary that was built as a C archive
// with the overlay of [overlay.MakeLibFuzzer], and the files that belong beside it.
//
// [overlay.MakeLibFuzzer]: https://pkg.go.dev/github.com/espalier-go/espalier/cmd/corpusgen/internal/overlay
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
	path      string
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
	c := &Compiler{path: path, tmp: tmp}
	if asan {
		c.sanitizer = ",address"
	}
	const empty = "#include <stddef.h>\nint LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) { return 0; }\n"
	if err := c.run(ctx, empty, "-fsanitize=fuzzer"+c.sanitizer, "-o", filepath.Join(tmp, "empty"), "-x", "c", "-"); err != nil {
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

// Path is the compiler's.
func (c *Compiler) Path() string { return c.path }

//go:embed glue/target.c
var entryPoints string

// A Target is a fuzz target of a test binary.
type Target struct {
	Name       string
	Dir        string // of its package
	Structured bool   // fuzzext mutates its inputs
}

// Link links the target of the test binary in archive into a binary at path. Flags are for the
// linker.
func (c *Compiler) Link(ctx context.Context, path, archive string, t Target, flags []string) error {
	object, err := c.compile(ctx, t)
	if err != nil {
		return err
	}
	args := append([]string{"-fsanitize=fuzzer" + c.sanitizer, "-o", path, object, archive}, flags...)
	return c.run(ctx, "", append(args, systemLibraries()...)...)
}

// Add adds the entry points of the target to the archive, so that no more than
// -fsanitize=fuzzer is needed to link it.
func (c *Compiler) Add(ctx context.Context, archive string, t Target) error {
	object, err := c.compile(ctx, t)
	if err != nil {
		return err
	}
	return command(ctx, "", "ar", "r", archive, object)
}

// compile returns the object file of the entry points.
func (c *Compiler) compile(ctx context.Context, t Target) (object string, err error) {
	object = filepath.Join(c.tmp, "target.o")
	dir := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(t.Dir)
	args := []string{"-c", "-O1", "-fPIC", "-DTARGET=\"" + t.Name + "\"", "-DDIRECTORY=\"" + dir + "\"", "-o", object, "-x", "c", "-"}
	if t.Structured {
		args = append([]string{"-DSTRUCTURED"}, args...)
	}
	return object, c.run(ctx, entryPoints, args...)
}

func (c *Compiler) run(ctx context.Context, stdin string, args ...string) error {
	return command(ctx, stdin, c.path, args...)
}

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
