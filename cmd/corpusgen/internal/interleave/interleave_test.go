package interleave

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/loader"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the golden file")

// What gets points compiles, and keeps its lines.
func TestRewrite(t *testing.T) {
	t.Parallel()
	found, err := loader.List(t.Context(), []string{"-deps"}, "context", "time", pointPath)
	require.NoError(t, err)
	for _, l := range found {
		require.True(t, l.Standard || slices.Contains(usedByPoints, l.ImportPath), l.ImportPath)
	}
	exports := loader.Exports(found)
	dir := t.TempDir()
	text, err := os.ReadFile(filepath.Join("testdata", "all.go.txt"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "all.go"), text, 0o666))
	all := loader.Package{ImportPath: "all", Dir: dir, GoFiles: []string{"all.go"}}
	p := newProgram()
	require.NoError(t, p.check(all, exports))
	p.findShared()
	u := p.units[0]
	got := p.rewritten(u)[&u.files[0]]
	require.Empty(t, p.notes)

	golden := filepath.Join("testdata", "all.golden")
	if *update {
		require.NoError(t, os.WriteFile(golden, got, 0o666))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), string(got))

	require.NoError(t, os.WriteFile(filepath.Join(dir, "all.go"), got, 0o666))
	require.NoError(t, newProgram().check(all, exports))
	for i, line := range strings.Split(string(text), "\n") {
		if name, ok := strings.CutPrefix(line, "func "); ok {
			name, _, _ = strings.Cut(name, "(")
			require.Contains(t, strings.Split(string(got), "\n")[i], "func "+name)
		}
	}
}

// Each bug of the kernels is found with each seed, by at most three delays, and returns in another
// process with other CPUs. Their correct versions pass.
func TestKernels(t *testing.T) {
	if !long.Enabled() {
		t.Skip("the go command compiles and runs tests")
	}
	names := append(kernels(t, "Kernels", "kernels.go"), "linear")
	buildKernels(t).explore(t, "TestFixed", "TestPlanted", names, 3, long.Times(0, 10))
}

// With the race detector, so is each data race, by at most one delay. The correct versions of all
// kernels pass.
func TestRaces(t *testing.T) {
	if !long.Enabled() {
		t.Skip("the go command compiles and runs tests")
	}
	if text, err := exec.Command("go", "env", "CGO_ENABLED").Output(); err != nil ||
		string(text) != "1\n" {
		t.Skip("the race detector needs cgo")
	}
	names := kernels(t, "Races", "races_test.go")
	buildKernels(t, "-race").explore(t, "TestFixed(Races)?", "TestPlantedRaces", names, 1, long.Times(0, 3))
}

// A binary is a test binary of the kernels with points.
type binary struct{ dir, path string }

// run runs tests.
func (b binary) run(cpus string, args ...string) (text string, cpu time.Duration) {
	cmd := exec.Command(b.path, args...)
	cmd.Dir = b.dir
	cmd.Env = append(cmd.Environ(), "GOMAXPROCS="+cpus, "GORACE="+raceOptions(b.dir))
	out, _ := cmd.CombinedOutput()
	return string(out), cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
}

// explore runs what is correct, and finds the bugs, by at most so many delays, with some seeds.
func (b binary) explore(t *testing.T, fixed, planted string, names []string, most, seeds int) {
	text, cpu := b.run("2", "-test.run=^"+fixed+"$", "-fuzzext.checks=2000")
	require.Equal(t, "PASS\n", text)
	t.Logf("%v of CPU time for the correct versions", cpu)
	for seed := range seeds {
		var total time.Duration
		for _, name := range names {
			test := "-test.run=^" + planted + "$/^" + name + "$"
			text, cpu := b.run("1", test, "-fuzzext.seed="+strconv.Itoa(seed+1),
				"-fuzzext.checks=10000") // however slow they are
			total += cpu
			_, value, ok := strings.Cut(text, "schedule.Case{")
			value, _, _ = strings.Cut(value, " it") // "it passes with", or "its choices"
			if !ok {
				t.Errorf("seed %d: %s is not found", seed+1, name)
				continue
			}
			delays := strings.Count(value, "{Goroutine: ") + strings.Count(value, "{Point: ")
			require.LessOrEqual(t, delays, most, "%s: %s", name, text)
			saved, err := filepath.Glob(filepath.Join(b.dir, "testdata", "fuzzext", planted, name, "*"))
			require.NoError(t, err)
			require.Len(t, saved, 1, text)
			const runs = 10
			again, _ := b.run("8", test+"/^"+filepath.Base(saved[0])+"$", "-test.count="+strconv.Itoa(runs))
			require.Equal(t, runs, strings.Count(again, "--- FAIL: "+planted+"/"+name+"/"),
				"%s: %s", name, again)
			if planted == "TestPlantedRaces" {
				require.Equal(t, runs, strings.Count(again, " data race: "), "%s: %s", name, again)
			}
			require.NoError(t, os.Remove(saved[0]))
		}
		t.Logf("seed %d: %v of CPU time", seed+1, total)
	}
}

// kernels returns the names of the kernels in a list.
func kernels(t *testing.T, list, file string) (names []string) {
	text, err := os.ReadFile(filepath.Join("testdata", "kernels", file))
	require.NoError(t, err)
	_, rest, _ := strings.Cut(string(text), "var "+list+" ")
	rest, _, _ = strings.Cut(rest, "\n}")
	for i, part := range strings.Split(rest, `"`) {
		if i%2 == 1 {
			names = append(names, part)
		}
	}
	require.NotEmpty(t, names)
	return names
}

// buildKernels compiles the kernels with points, in the directory of a module of their own.
func buildKernels(t *testing.T, build ...string) binary {
	dir, points := userModule(t, "example.com/kernels"), t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS(filepath.Join("testdata", "kernels"))))
	t.Chdir(dir)
	// in the module cache
	with := Options{Instrument: "github.com/anishathalye/porcupine"}
	p, err := readPackages(t.Context(), with, []string{"."}, build)
	require.NoError(t, err)
	list, err := p.write(points, "")
	require.NoError(t, err)
	require.Len(t, p.copies, 1)
	flags, err := p.replaceModules(t.Context(), points, build)
	require.NoError(t, err)
	b := binary{dir, filepath.Join(dir, "kernels.test")}
	out, err := exec.Command("go",
		slices.Concat([]string{"test", "-c", "-overlay=" + list, "-o=" + b.path}, build, flags)...).
		CombinedOutput()
	require.NoError(t, err, "%s", out)
	return b
}

// userModule returns the directory of a new module, without packages, that requires this one.
func userModule(t *testing.T, path string) string {
	root, err := filepath.Abs(filepath.Join("..", "..", "..", ".."))
	require.NoError(t, err)
	dir := t.TempDir()
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(root, name))
		require.NoError(t, err)
		return string(text)
	}
	const module = "github.com/espalier-go/espalier"
	mod := strings.Replace(read("go.mod"), "module "+module, "module "+path, 1) +
		"\nrequire " + module + " v0.0.0\nreplace " + module + " => " + strconv.Quote(root) + "\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte(mod), 0o666))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.sum"), []byte(read("go.sum")), 0o666))
	return dir
}
