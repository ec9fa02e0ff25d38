package coverage

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestProfile(t *testing.T) {
	dir := t.TempDir()
	_, err := readProfile(dir)
	require.ErrorIs(t, err, ErrNone)
	read := func(text string) (Profile, error) {
		require.NoError(t, os.WriteFile(profileIn(dir), []byte(text), 0o666))
		return readProfile(dir)
	}
	_, err = read("mode: set\n")
	require.ErrorIs(t, err, ErrNone)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "covmeta.0"), nil, 0o666))
	p, err := read("mode: set\n")
	require.NoError(t, err, "packages without statements")
	require.Empty(t, p)
	_, err = read("mode: set\nexample.com/p/p.go:7.20,9.3 one 0\n")
	require.ErrorContains(t, err, `"example.com/p/p.go:7.20,9.3 one 0" is not a line of a profile`)

	p, err = read("mode: count\nc:/p/p.go:10.1,11.2 3 99999999999\nc:/p/p.go:9.5,9.8 1 0\n" +
		"c:/p/a.go:12.1,13.1 2 1\n")
	require.NoError(t, err)
	require.Equal(t, "mode: set\nc:/p/a.go:12.1,13.1 2 1\nc:/p/p.go:9.5,9.8 1 0\n"+
		"c:/p/p.go:10.1,11.2 3 1\n", string(p.Text()))
	reached, all := p.Statements()
	require.Equal(t, []int{5, 6}, []int{reached, all})
}
