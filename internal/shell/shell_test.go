package shell_test

import (
	"os/exec"
	"testing"

	"github.com/espalier-go/espalier/internal/shell"
	"github.com/stretchr/testify/require"
)

func TestCommand(t *testing.T) {
	require.Equal(t, `GOROOT='/a b' go test -run='^X$' 'it'\''s' '' -x=1`,
		shell.Command("GOROOT=/a b", "go", "test", "-run=^X$", "it's", "", "-x=1"))
	require.Equal(t, `'plain'`, shell.Quote("plain"))
}

// A shell reads the words that were written.
func TestShell(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip(err)
	}
	words := []string{"a", "b c", "it's", "$HOME", "`x`", "", "-run=^F$/^a|b$", "*", "é\n\t", `\`,
		"''"}
	script := shell.Command(append([]string{"printf", `%s\0`}, words...)...)
	out, err := exec.Command(sh, "-c", script).Output()
	require.NoError(t, err)
	want := ""
	for _, w := range words {
		want += w + "\x00"
	}
	require.Equal(t, want, string(out))
}
