package interleave

import (
	"bytes"
	"path/filepath"
	"testing"

	"github.com/espalier-go/espalier/internal/job"
	"github.com/stretchr/testify/require"
)

// The line of a package names its tests that had too little time. All else passes as it is, however
// it is cut.
func TestFew(t *testing.T) {
	told := filepath.Join(t.TempDir(), "few")
	t.Setenv(job.FewSchedules, told)
	const text = "? \ta\t[no test files]\nok  \tb\t0.1s\nok then\nnot ok  \tc\t0.1s\nok  \tc\t0.2s\n" +
		`{"Output":"ok  \tc\t0.2s\n"}` + "\nrest"
	copied := func(size int) string {
		var out bytes.Buffer
		f := &few{out: &out, told: told}
		for b := []byte(text); len(b) > 0; b = b[min(size, len(b)):] {
			n, err := f.Write(b[:min(size, len(b))])
			require.NoError(t, err)
			require.Equal(t, min(size, len(b)), n)
		}
		return out.String()
	}
	require.Equal(t, text, copied(len(text)))
	for _, test := range []string{"TestA", "TestB", "TestA", "TestC", "TestD", "TestE"} {
		job.TellFew(job.Few{Package: "c", Test: test, Made: 1500, Most: 10_000})
	}
	want := "? \ta\t[no test files]\nok  \tb\t0.1s\nok then\nnot ok  \tc\t0.1s\nok  \tc\t0.2s" +
		"\t[schedules: TestA 1500/10000, TestB 1500/10000, TestC 1500/10000, 2 more]\n" +
		`{"Output":"ok  \tc\t0.2s\n"}` + "\nrest"
	for size := 1; size <= len(text); size++ {
		require.Equal(t, want, copied(size), size)
	}
}
