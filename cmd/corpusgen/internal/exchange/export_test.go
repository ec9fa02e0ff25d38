package exchange

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
	"github.com/espalier-go/espalier/internal/safefile"
	"github.com/stretchr/testify/require"
)

// An unfinished file is beside the corpus, not in it. What earlier exports have left there goes.
func TestExportUnfinished(t *testing.T) {
	s := &session.Session{Dir: t.TempDir(), Pkgs: make([]gotest.Package, 1)}
	target := &session.Target{Workshop: &session.Workshop{Session: s}, Name: "FuzzX"}
	place := filepath.Join(s.Dir, "FuzzX")
	require.NoError(t, os.Mkdir(place, 0o777))
	var left []string
	for _, dir := range []string{s.Dir, place} {
		path := filepath.Join(dir, safefile.Prefix+"ABC234")
		require.NoError(t, os.WriteFile(path, nil, 0o666))
		old := time.Now().Add(-24 * time.Hour)
		require.NoError(t, os.Chtimes(path, old, old))
		left = append(left, path)
	}
	x := &export{exporter: &exporter{Session: s}, t: target, written: map[string]bool{}}
	require.NoError(t, x.put("value", []byte("{}")))
	require.FileExists(t, filepath.Join(place, "value"))
	for _, path := range left { // each directory in which one is made is swept first
		require.NoFileExists(t, path)
	}
}
