package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
	"github.com/espalier-go/espalier/internal/job"
)

func runVersion(_ context.Context, args []string) error {
	switch {
	case len(args) == 0:
	case slices.Contains([]string{"-h", "-help", "--help"}, args[0]):
		return session.ErrHelp
	default:
		return session.UsageError{Msg: "version takes no arguments"}
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return errors.New("this build has no version: it was built without modules")
	}
	fmt.Println(versionText(info))
	return nil
}

// versionText returns what version prints.
func versionText(info *debug.BuildInfo) string {
	m := &info.Main
	text := "corpusgen " + cmp.Or(m.Version, "(devel)")
	if r := m.Replace; r != nil {
		text += " => " + r.Path
		if r.Version != "" {
			text += " " + r.Version
		}
	}
	if commit := setting(info, "vcs.revision"); len(commit) > digits &&
		!strings.Contains(text, commit[:digits]) {
		text += " " + commit[:digits]
		if setting(info, "vcs.modified") == "true" {
			text += "+changes"
		}
	}
	return fmt.Sprintf("%s %s %s/%s", text, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// digits is how much of a commit is printed, as in a pseudo-version.
const digits = 12

func setting(info *debug.BuildInfo, key string) string {
	for _, s := range info.Settings {
		if s.Key == key {
			return s.Value
		}
	}
	return ""
}

// nameProgram says in messages how this program runs: as a tool of a module, the go command builds it
// into its cache, from a version of this module, or from what go.mod replaces it by.
func nameProgram() {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Sum == "" && info.Main.Replace == nil {
		return
	}
	path, err := os.Executable()
	if err != nil {
		return
	}
	if _, err := exec.LookPath("corpusgen"); err == nil {
		return
	}
	// First it runs where it was built, b001/exe/corpusgen, then from ab/abcdef...-d/corpusgen.
	above, dir := filepath.Dir(filepath.Dir(path)), filepath.Base(filepath.Dir(path))
	shard := filepath.Base(above)
	if dir == "exe" || len(shard) == 2 && strings.HasPrefix(dir, shard) && strings.HasSuffix(dir, "-d") {
		job.SetProgram("go tool corpusgen")
	}
}
