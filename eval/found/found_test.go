package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// Each defect is still there.
func TestDefects(t *testing.T) {
	if os.Getenv("ESPALIER_LONG") == "" {
		t.Skip("ESPALIER_LONG=1 runs what fails in other modules")
	}
	for _, d := range defects {
		t.Run(d.name, func(t *testing.T) {
			if d.got == "" {
				require.False(t, returns(t, d.name))
				return
			}
			require.Contains(t, shown(d.show), d.got)
		})
	}
}

// shown returns what a function returns, or with what it panics.
func shown(show func() any) (text string) {
	defer func() {
		if r := recover(); r != nil {
			text = fmt.Sprint(r)
		}
	}()
	return fmt.Sprint(show())
}

// helped is set in a process that shows a defect.
const helped = "ESPALIER_FOUND"

// returns reports whether a process that shows the defect ends within two CPU seconds.
func returns(t *testing.T, name string) bool {
	cmd := exec.Command("sh", "-c", `ulimit -t 2; exec "$0" "$1"`, os.Args[0], name)
	cmd.Env = append(os.Environ(), helped+"=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		require.ErrorContains(t, err, "signal: ", "%s", out)
	}
	return err == nil
}

func TestMain(m *testing.M) {
	if os.Getenv(helped) != "" {
		main()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// The page has the table and the code.
func TestPage(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "found.md"))
	require.NoError(t, err)
	require.Contains(t, string(page), markdown())
}
