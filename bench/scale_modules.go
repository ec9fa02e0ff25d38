package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// scaleModules are modules whose authors have written fuzz targets.
var scaleModules = []struct{ path, version, pkg, target string }{
	{"github.com/google/uuid", "v1.6.0", ".", "FuzzParse"},
	{"github.com/BurntSushi/toml", "v1.5.0", ".", "FuzzDecode"},
	{"github.com/yuin/goldmark", "v1.7.8", "fuzz", "FuzzDefault"},
}

const goFuzzBuild = "github.com/AdamKorcz/go-118-fuzz-build@v0.0.0-20250520111509-a70c2aa677fa"

// scaleBuilt counts the modules with a target that, as it is, becomes a libFuzzer binary that
// runs 1000 inputs, and those for which go-118-fuzz-build makes an archive.
func scaleBuilt(run) (o, b figure, err error) {
	command, err := corpusgenFuzz()
	if err != nil {
		return o, b, err
	}
	for _, m := range scaleModules {
		count := func(f *figure, build func(pkg string) error) error {
			return inScratch(func(dir string) error {
				dir = filepath.Join(dir, "module")
				if err := copyOfModule(dir, m.path+"@"+m.version); err != nil {
					return err
				}
				if err := build(filepath.Join(dir, m.pkg)); err != nil {
					fmt.Fprintf(os.Stderr, "scale/modules: %s: %v\n", m.path, err)
					return nil
				}
				f.value++
				return nil
			})
		}
		err := errors.Join(count(&o, func(pkg string) error {
			if err := runIn(pkg, command[0], "libfuzzer", "-fuzz=^"+m.target+"$", "-o=fuzz",
				"."); err != nil {
				return err
			}
			return runIn(pkg, "./fuzz", "-runs=1000")
		}), count(&b, func(pkg string) error {
			return runIn(pkg, "go", "run", goFuzzBuild, "-o=fuzz.a", "-func="+m.target,
				filepath.Join(m.path, m.pkg))
		}))
		if err != nil {
			return o, b, err
		}
	}
	return o, b, nil
}

// copyOfModule copies a module of the proxy to a new directory.
func copyOfModule(dir, version string) error {
	out, err := exec.Command("go", "mod", "download", "-json", version).Output()
	if err != nil {
		return fmt.Errorf("go mod download %s: %w\n%s", version, err, out)
	}
	var m struct{ Dir string }
	if err := json.Unmarshal(out, &m); err != nil {
		return err
	}
	if err := os.CopyFS(dir, os.DirFS(m.Dir)); err != nil {
		return err
	}
	return exec.Command("chmod", "-R", "u+w", dir).Run()
}

// runIn runs a command in a folder.
func runIn(dir, name string, args ...string) error {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", cmd, err, out)
	}
	return nil
}
