package campaign

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/livepage"
	"github.com/stretchr/testify/require"
)

func TestState(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	s, err := Load(dir, "example.com/x")
	require.NoError(t, err)
	s.Record("FuzzA").add(3, time.Second)
	s.Record("FuzzA").add(1, 2*time.Second)
	require.NoError(t, s.Save())

	again, err := Load(dir, "example.com/x")
	require.NoError(t, err)
	require.Equal(t, s, again)
	require.Equal(t, &Record{CPU: 3 * time.Second, Found: 4, RecentFound: 2.5, RecentCPU: 2.5},
		again.Record("FuzzA"))
	require.InDelta(t, 1, again.Record("FuzzA").Yield(), 1e-9)

	other, err := Load(dir, "example.com/y")
	require.NoError(t, err)
	require.Empty(t, other.Targets)
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, files, 1)
}

// The record keeps the latest campaigns.
func TestCampaigns(t *testing.T) {
	dir := t.TempDir()
	s, err := Load(dir, "x")
	require.NoError(t, err)
	for i := range maxCampaigns + 3 {
		s.Record("FuzzA").end(livepage.Campaign{Counts: livepage.Counts{Executions: int64(i)}})
	}
	require.NoError(t, s.Save())
	again, err := Load(dir, "x")
	require.NoError(t, err)
	kept := again.Record("FuzzA").Campaigns
	require.Equal(t, []int64{maxCampaigns, 3, maxCampaigns + 2},
		[]int64{int64(len(kept)), kept[0].Executions, kept[maxCampaigns-1].Executions})
}

// A file that cannot be parsed is reported and then replaced.
func TestStateCorrupt(t *testing.T) {
	dir := t.TempDir()
	s, err := Load(dir, "x")
	require.NoError(t, err)
	for _, content := range []string{
		"", "{", "[]", "null", `{"Version": 2, "Package": "x"}`, `{"Version": 1, "Package": "y"}`,
		`{"Version": 1, "Package": "x", "Targets": {"FuzzA": null}}`,
		`{"Version": 1, "Package": "x", "Targets": {"FuzzA": {"CPU": -1}}}`,
		`{"Version": 1, "Package": "x", "Targets": {"FuzzA": {"RecentCPU": 1e999}}}`,
	} {
		require.NoError(t, os.WriteFile(s.path, []byte(content), 0o666))
		got, err := Load(dir, "x")
		require.ErrorContains(t, err, s.path, content)
		require.Empty(t, got.Targets)
		got.Record("FuzzB")
		require.NoError(t, got.Save())
		_, err = Load(dir, "x")
		require.NoError(t, err)
	}
	require.NoError(t, os.WriteFile(s.path, []byte(`{"Version": 1, "Package": "x"}`), 0o666))
	got, err := Load(dir, "x")
	require.NoError(t, err)
	require.NotNil(t, got.Record("FuzzA"))
}

// A state that has grown too large is not read.
func TestStateLarge(t *testing.T) {
	dir := t.TempDir()
	s, err := Load(dir, "example.com/x")
	require.NoError(t, err)
	require.NoError(t, s.Save())
	require.NoError(t, os.Truncate(s.path, maxState+1))
	s, err = Load(dir, "example.com/x")
	require.ErrorContains(t, err, "at most 16777216 are read")
	require.Empty(t, s.Targets)
}
