// Package sandbox isolates commands that build and fuzz, so that a test can see what they
// leave: temporary files, corpora, processes.
package sandbox

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// A Sandbox has the directories that commands write to, and finds their processes.
type Sandbox struct {
	root string
	mark string // entry in the environment of all processes
}

// markEnv is the environment variable that distinguishes the processes of a sandbox.
const markEnv = "ESPALIER_SANDBOX"

// New makes a sandbox in root, an absolute path that need not exist. Its GOCACHE holds no
// corpus. It shares the build results of the user's GOCACHE, or begins empty if fresh is
// set.
func New(root string, fresh bool) (*Sandbox, error) {
	s := &Sandbox{root: root, mark: markEnv + "=" + rand.Text()}
	for _, dir := range []string{s.GoCache(), s.UserCache(), s.Temp()} {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return nil, err
		}
	}
	if fresh {
		return s, nil
	}
	return s, s.shareBuilds()
}

// shareBuilds links the directories of build results, 00 to ff, to the directories of the user's
// GOCACHE.
func (s *Sandbox) shareBuilds() error {
	out, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		return fmt.Errorf("go env GOCACHE: %w", err)
	}
	builds := strings.TrimSpace(string(out))
	// The go command deletes old results after a run, unless it has done so lately.
	trimmed := strconv.FormatInt(time.Now().Unix(), 10)
	if err := os.WriteFile(filepath.Join(s.GoCache(), "trim.txt"), []byte(trimmed),
		0o666); err != nil {
		return err
	}
	for i := range 256 {
		name := fmt.Sprintf("%02x", i)
		from := filepath.Join(builds, name)
		if err := errors.Join(os.MkdirAll(from, 0o777),
			os.Symlink(from, filepath.Join(s.GoCache(), name))); err != nil {
			return err
		}
	}
	return nil
}

// GoCache returns the sandbox's GOCACHE. Its directory fuzz has the engine's corpora.
func (s *Sandbox) GoCache() string { return filepath.Join(s.root, "gocache") }

// UserCache returns the directory that os.UserCacheDir returns in the sandbox.
func (s *Sandbox) UserCache() string { return filepath.Join(s.root, "cache") }

// Temp returns the sandbox's directory of temporary files.
func (s *Sandbox) Temp() string { return filepath.Join(s.root, "tmp") }

// Vars returns the environment variables that the sandbox sets for its commands.
func (s *Sandbox) Vars() []string {
	return []string{s.mark, "GOCACHE=" + s.GoCache(), "XDG_CACHE_HOME=" + s.UserCache(),
		"TMPDIR=" + s.Temp(), "GOTMPDIR=", "GOWORK=off"}
}

// Environ returns the environment of the sandbox's commands: this process's and
// [Sandbox.Vars].
func (s *Sandbox) Environ() []string { return append(os.Environ(), s.Vars()...) }
