package main

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// toolchain decides the condition toolchain:VERSION.
func toolchain(condition string) (bool, error) {
	version, ok := strings.CutPrefix(condition, "toolchain:")
	if !ok {
		return false, fmt.Errorf("unknown condition %s", condition)
	}
	return hasToolchain(version), nil
}

// hasToolchain reports whether the go command can run as the one of a version, which it
// may have to fetch.
func hasToolchain(version string) bool {
	cmd := exec.Command("go", "version")
	cmd.Env = append(os.Environ(), "GOTOOLCHAIN="+version)
	out, err := cmd.Output()
	return err == nil && strings.Contains(string(out), " "+version+" ")
}
