package gotest

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A ModFile is a go.mod.
type ModFile struct {
	File    string `json:"-"` // its path
	Module  struct{ Path string }
	Require []struct{ Path string }
}

// MainModFile returns the go.mod of the main module, or the one that stands for it by the flag
// -modfile. Its File is "" if there is none, or a workspace.
func MainModFile(ctx context.Context, flag string) (m ModFile, err error) {
	env, err := Output(ctx, "env", "GOMOD")
	file := strings.TrimSpace(env)
	if err != nil || file == "" || file == os.DevNull || Workspace(ctx) != "" {
		return m, err
	}
	m.File = cmp.Or(flag, file)
	text, err := Output(ctx, "mod", "edit", "-json", m.File)
	if err == nil {
		err = json.Unmarshal([]byte(text), &m)
	}
	return m, err
}

// Requires reports whether it requires a module.
func (m ModFile) Requires(path string) bool {
	return slices.ContainsFunc(m.Require, func(r struct{ Path string }) bool { return r.Path == path })
}

// Workspace returns the file of the workspace, or "".
func Workspace(ctx context.Context) string {
	work, _ := Output(ctx, "env", "GOWORK")
	if work = strings.TrimSpace(work); work == "off" {
		return ""
	}
	return work
}

// CopyModFile copies a go.mod, and the go.sum beside it, to a directory. It returns a build flag
// with which the main module has the copy, once it is edited by flags of go mod edit. The flag
// follows the others.
func CopyModFile(ctx context.Context, file, dir string, edits []string) (string, error) {
	other := filepath.Join(dir, "go.mod")
	for from, to := range map[string]string{
		file: other,
		strings.TrimSuffix(file, ".mod") + ".sum": filepath.Join(dir, "go.sum"),
	} {
		text, err := os.ReadFile(from)
		if err == nil {
			err = os.WriteFile(to, text, 0o666)
		}
		if err != nil && (to == other || !os.IsNotExist(err)) {
			return "", fmt.Errorf("copying go.mod: %w", err)
		}
	}
	_, err := Output(ctx, append(append([]string{"mod", "edit"}, edits...), other)...)
	return "-modfile=" + other, err
}
