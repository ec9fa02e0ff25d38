// Package sandbox runs commands that build and fuzz in surroundings of their own, so that
// a test can tell what they leave behind: temporary files, corpora, processes.
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

// A Sandbox is a directory with what commands write to, and knows their processes.
type Sandbox struct {
	root string
	mark string // in the environment of all processes
}

// markEnv tells the processes of a sandbox from others.
const markEnv = "ESPALIER_SANDBOX"

// New makes a sandbox in root, an absolute path that need not exist. Its GOCACHE has the
// build results of the go command's own, which it adds to, unless fresh is set, and no
// corpus.
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

// shareBuilds links the directories of build results, 00 to ff, to those of the go command.
func (s *Sandbox) shareBuilds() error {
	out, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		return fmt.Errorf("go env GOCACHE: %w", err)
	}
	builds := strings.TrimSpace(string(out))
	// The go command looks for what is old after each run, unless it has done so lately.
	trimmed := strconv.FormatInt(time.Now().Unix(), 10)
	if err := os.WriteFile(filepath.Join(s.GoCache(), "trim.txt"), []byte(trimmed), 0o666); err != nil {
		return err
	}
	for i := range 256 {
		name := fmt.Sprintf("%02x", i)
		from := filepath.Join(builds, name)
		if err := errors.Join(os.MkdirAll(from, 0o777), os.Symlink(from, filepath.Join(s.GoCache(), name))); err != nil {
			return err
		}
	}
	return nil
}

// GoCache returns GOCACHE; the engine's corpora are in its directory fuzz.
func (s *Sandbox) GoCache() string { return filepath.Join(s.root, "gocache") }

// UserCache returns what os.UserCacheDir returns there.
func (s *Sandbox) UserCache() string { return filepath.Join(s.root, "cache") }

// Temp returns the directory of temporary files.
func (s *Sandbox) Temp() string { return filepath.Join(s.root, "tmp") }

// Vars returns what distinguishes the environment of the commands: who they are, and the
// directories of the sandbox.
func (s *Sandbox) Vars() []string {
	return []string{s.mark, "GOCACHE=" + s.GoCache(), "XDG_CACHE_HOME=" + s.UserCache(), "TMPDIR=" + s.Temp(), "GOTMPDIR=", "GOWORK=off"}
}

// Environ returns the environment of the commands: that of this process with [Sandbox.Vars].
func (s *Sandbox) Environ() []string { return append(os.Environ(), s.Vars()...) }
