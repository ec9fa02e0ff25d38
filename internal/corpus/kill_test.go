package corpus_test

import (
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/espalier-go/espalier/internal/corpus"
	"github.com/stretchr/testify/require"
)

// killEnv names the corpus for a copy of the test binary to write until killed.
const killEnv = "CORPUS_TEST_WRITE"

func TestMain(m *testing.M) {
	if dir := os.Getenv(killEnv); dir != "" {
		start := uint64(time.Now().UnixNano())
		for i := start; ; i++ {
			if _, _, err := corpus.Write(dir, binary.BigEndian.AppendUint64(nil, i)); err != nil {
				panic(err)
			}
		}
	}
	os.Exit(m.Run())
}

// A writer killed at any moment leaves a corpus that can be read.
func TestWriteSurvivesKill(t *testing.T) {
	exe, err := os.Executable()
	require.NoError(t, err)
	dir := filepath.Join(t.TempDir(), "FuzzX")
	for range 10 {
		before, err := corpus.Read(dir)
		require.NoError(t, err)
		cmd := exec.Command(exe)
		cmd.Env = append(os.Environ(), killEnv+"="+dir)
		require.NoError(t, cmd.Start())
		require.Eventually(t, func() bool {
			now, err := corpus.Read(dir)
			return err != nil || len(now) > len(before)
		}, 30*time.Second, time.Millisecond)
		require.NoError(t, cmd.Process.Kill())
		require.Error(t, cmd.Wait())
		_, err = corpus.Read(dir)
		require.NoError(t, err)
	}
}
