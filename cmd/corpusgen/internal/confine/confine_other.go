//go:build !linux || !(amd64 || arm64)

package confine

import (
	"fmt"
	"runtime"
)

func check() error {
	return fmt.Errorf("corpusgen cannot do so on %s/%s", runtime.GOOS, runtime.GOARCH)
}

func enter([]string) error { return Check() }

func isMain() bool { return false }
