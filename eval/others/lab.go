package others

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// Espalier is the path of the module that copies require.
const Espalier = "github.com/espalier-go/espalier"

// A Lab is where a study runs what others wrote.
type Lab struct {
	Scratch   string        // a directory, removed in the end
	Root      string        // of Espalier
	Corpusgen string        // the binary
	Limit     time.Duration // of CPU time, for what runs at once
}

// newLab builds corpusgen.
func newLab(ctx context.Context, name string, limit time.Duration) (*Lab, error) {
	adopt()
	out, err := Output(ctx, "", "go", "list", "-m", "-f", "{{.Dir}}", Espalier)
	if err != nil {
		return nil, err
	}
	l := &Lab{Root: strings.TrimSpace(string(out)), Limit: limit}
	if l.Scratch, err = os.MkdirTemp("", name+"-*"); err != nil {
		return nil, err
	}
	l.Corpusgen = filepath.Join(l.Scratch, "corpusgen")
	_, err = Output(ctx, l.Root, "go", "build", "-o", l.Corpusgen, "./cmd/corpusgen")
	return l, err
}

// Copy copies a module of the proxy, given its path@version, to a directory, which it replaces.
// There, the module requires Espalier, and forgets what it replaces by modules that are not in the
// copy. Language version and GODEBUG are the ones of Espalier.
func (l *Lab) Copy(ctx context.Context, version, dir string) error {
	out, err := Output(ctx, "", "go", "mod", "download", "-json", version)
	if err != nil {
		return err
	}
	var from struct{ Dir, Path string }
	if err := json.Unmarshal(out, &from); err != nil {
		return err
	}
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := os.CopyFS(dir, os.DirFS(from.Dir)); err != nil {
		return err
	}
	if err := exec.Command("chmod", "-R", "u+w", dir).Run(); err != nil {
		return err
	}
	file := filepath.Join(dir, "go.mod")
	if _, err := os.Stat(file); err != nil {
		if err := os.WriteFile(file, []byte("module "+from.Path+"\n"), 0o666); err != nil {
			return err
		}
	}
	out, err = Output(ctx, dir, "go", "mod", "edit", "-json")
	if err != nil {
		return err
	}
	var mod struct {
		Replace []struct {
			Old, New struct{ Path, Version string }
		}
	}
	if err := json.Unmarshal(out, &mod); err != nil {
		return err
	}
	edit := []string{"mod", "edit", "-go=1.26.0", "-toolchain=none",
		"-require=" + Espalier + "@v0.0.0", "-replace=" + Espalier + "=" + l.Root}
	for _, r := range mod.Replace {
		if r.New.Version == "" {
			edit = append(edit, "-dropreplace="+r.Old.Path)
		}
	}
	_, err = Output(ctx, dir, "go", edit...)
	return err
}
