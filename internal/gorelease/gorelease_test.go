package gorelease

import (
	"go/version"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestLimit(t *testing.T) {
	for v, want := range map[string]time.Duration{
		"go1.26": 10, "go1.26.8": 10, "go1.26.8 X:nodwarf5": 10, "go1.26rc1": 10,
		"go1.27rc1": 60, "go1.27.3": 60, "go1.30": 60, "devel go1.28-abc": 60,
		"devel go1.26-abc": 10, "": 60,
	} {
		require.Equal(t, want*time.Second, Limit(v), v)
	}
}

// The engine of the Go installation that runs this test has the limit that is said of it.
func TestLimitOfEngine(t *testing.T) {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	require.NoError(t, err)
	worker, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(out)), "src", "internal",
		"fuzz", "worker.go"))
	require.NoError(t, err)
	limit := regexp.MustCompile(`time\.AfterFunc\((\d+)\*time\.Second, `).FindAllSubmatch(worker, -1)
	require.Len(t, limit, 1, "the engine ends executions in another way")
	want, err := time.ParseDuration(string(limit[0][1]) + "s")
	require.NoError(t, err)
	require.Equal(t, want, Limit(runtime.Version()))
}

// The module asks for the least release, and other modules for the oldest that is supported.
func TestReleases(t *testing.T) {
	for path, want := range map[string]string{"../../go.mod": Least, "../../bench/go.mod": Oldest,
		"../../bench/loaded/go.mod": Oldest, "../../eval/go.mod": Oldest, "../../contrib/kubernetes/go.mod": Oldest,
		"../../.ci/tools.mod": Oldest} {
		gomod, err := os.ReadFile(path)
		require.NoError(t, err)
		line := regexp.MustCompile(`(?m)^go (.*)$`).FindSubmatch(gomod)
		require.NotNil(t, line, path)
		require.Equal(t, version.Lang("go"+string(line[1])), version.Lang(want), path)
	}
	require.Negative(t, version.Compare(Oldest, Newest))
}

// A condition of a script on a release tells releases apart. One that holds for all of them
// would skip its lines, or the script, for ever.
func TestConditions(t *testing.T) {
	condition, scripts := regexp.MustCompile(`\[!?(go\d[\d.]*)\]`), 0
	require.NoError(t, filepath.WalkDir("../..", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".txtar" {
			return err
		}
		scripts++
		script, err := os.ReadFile(path)
		for _, m := range condition.FindAllSubmatch(script, -1) {
			if release := string(m[1]); version.Compare(release, version.Lang(Least)) <= 0 ||
				version.Compare(release, Newest) > 0 {
				t.Errorf("%s: %s is the same for %s and %s: resolve it", path, m[0], Least, Newest)
			}
		}
		return err
	}))
	require.NotZero(t, scripts)
}
