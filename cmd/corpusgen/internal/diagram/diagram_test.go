package diagram

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/espalier-go/espalier/internal/job"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the golden files")

// Reports become the golden files. What a test says stays what it is, whatever it means in Markdown
// and HTML.
func TestWrite(t *testing.T) {
	report, err := os.ReadFile(filepath.Join("testdata", "report.txt"))
	require.NoError(t, err)
	failures := []job.ScheduleFailure{
		{Package: "example.com/b", Test: "TestMove", Report: string(report)},
		{Package: "example.com/a", Test: "Test_odd", Report: "x_test.go:3: a|b *c* <script> `d`\n" +
			"\n```\n\nfailing value, as saved (1 choice):\n    1\n"},
	}
	for _, ext := range []string{".md", ".html"} {
		t.Run(ext, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "schedule"+ext)
			require.True(t, Is(path))
			require.NoError(t, Write(path, failures))
			got, err := os.ReadFile(path)
			require.NoError(t, err)
			golden := filepath.Join("testdata", "schedule"+ext)
			if *update {
				require.NoError(t, os.WriteFile(golden, got, 0o666))
			}
			want, err := os.ReadFile(golden)
			require.NoError(t, err)
			require.Equal(t, string(want), string(got))
			require.NoError(t, Write(path, nil), "an older diagram is replaced")
			got, err = os.ReadFile(path)
			require.NoError(t, err)
			require.Contains(t, string(got), none)
			require.NoError(t, os.WriteFile(path, []byte("notes"), 0o666))
			require.Error(t, Replaceable(path))
			require.Error(t, Write(path, failures))
		})
	}
	require.False(t, Is("binary.test"))
}

// The columns of a table are found whatever is in them.
func TestTurns(t *testing.T) {
	s := read(job.ScheduleFailure{Report: "panic: x\n\n" + table +
		"goroutine 0            goroutine 2   goroutine 11\n" +
		"                       delayed before it begins\n" +
		"                                     after Unlock a.go:3\n" +
		"ends\n" +
		"... and again, 7 times\n" +
		"\nit needs:\n    b.go:1 in b.F (goroutine 2) before a.go:3 in a.(*T).G (goroutine 11)\n"})
	require.Equal(t, []string{"goroutine 0", "goroutine 2", "goroutine 11"}, s.Goroutines)
	require.Equal(t, []turn{
		{1, "delayed before it begins", "", false},
		{2, "after Unlock", "a.go:3", true},
		{0, "ends", "", false},
		{-1, "... and again, 7 times", "", false},
	}, s.Turns)
}
