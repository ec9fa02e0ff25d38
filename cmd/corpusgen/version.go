package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
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
	fmt.Println(versionText(&info.Main))
	return nil
}

// versionText returns what version prints if corpusgen is of the module m.
func versionText(m *debug.Module) string {
	text := "corpusgen " + cmp.Or(m.Version, "(devel)")
	if r := m.Replace; r != nil {
		text += " => " + r.Path
		if r.Version != "" {
			text += " " + r.Version
		}
	}
	return fmt.Sprintf("%s %s %s/%s", text, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
