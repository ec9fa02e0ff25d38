package interleave

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// runSame is a test that prints, as JSON, what the programs print: as they are, and in runs with
// schedules that chance makes.
const runSame = `package same_test

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"testing"
	"testing/synctest"

	"github.com/espalier-go/espalier/bigen/schedule"
	"github.com/espalier-go/espalier/bigen/schedule/point"
%s)

var programs = map[string]func(func(...any)){
%s}

func TestSame(t *testing.T) {
	all := map[string][]string{}
	for name, run := range programs {
		if only := os.Getenv("ONLY"); only != "" && only != name {
			continue
		}
		text := ""
		print := func(v ...any) {
			point.Apart(func() { text += fmt.Sprintln(v...) })
		}
		run(print)
		all[name] = append(all[name], text)
		for seed := range 40 {
			text = ""
			if !point.Instrumented() {
				run(print)
				all[name] = append(all[name], text)
				continue
			}
			random := rand.New(rand.NewSource(int64(seed)))
			var delays schedule.Schedule
			for at := range 3000 {
				if seed > 0 && random.Intn(8) == 0 {
					delays = append(delays, schedule.Delay{Goroutine: at %% 30, Point: at / 30})
				}
			}
			synctest.Test(t, func(*testing.T) {
				r := point.Run(delays.Of, seed %% 2 == 1, true, synctest.Wait, func() { run(print) },
					func(v any) { text += fmt.Sprintln("panic:", v) })
				if r.Ending != "" {
					text += fmt.Sprintln(r.Ending, r.Foreign, r)
				}
			})
			all[name] = append(all[name], text)
		}
	}
	text, _ := json.Marshal(all)
	os.Stdout.Write(append(text, '\n'))
}
`

// A program with points prints what it prints without, and its lines are where they were. Each
// program has one kind of code that is easily broken.
func TestSame(t *testing.T) {
	if !long.Enabled() {
		t.Skip("the go command compiles and runs tests")
	}
	const module = "example.com/same"
	dir, points := userModule(t, module), t.TempDir()
	files, err := filepath.Glob(filepath.Join("testdata", "same", "*.go.txt"))
	require.NoError(t, err)
	var imports, programs strings.Builder
	names := map[string]bool{}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".go.txt")
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		require.NoError(t, os.Mkdir(filepath.Join(dir, name), 0o777))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name, name+".go"), text, 0o666))
		if name != "lib" {
			names[name] = true
			fmt.Fprintf(&imports, "\t%q\n", module+"/"+name)
			fmt.Fprintf(&programs, "\t%q: %s.Run,\n", name, name)
		}
	}
	test := fmt.Sprintf(runSame, imports.String(), programs.String())
	require.NoError(t, os.WriteFile(filepath.Join(dir, "same_test.go"), []byte(test), 0o666))
	t.Chdir(dir)
	want := outputs(t, dir)
	require.Len(t, want, len(names))
	p, err := readPackages(t.Context(), Options{}, []string{"."}, nil)
	require.NoError(t, err)
	list, err := p.write(points, "")
	require.NoError(t, err)
	embeds := filepath.Join(dir, "embeds", "embeds.go")
	require.Equal(t, []string{embeds + " has no points, since a package embeds it"}, p.notes)
	got := outputs(t, dir, "-overlay="+list)
	for name := range names {
		require.Len(t, got[name], len(want[name]))
		for i, text := range got[name] {
			if !assert.Equal(t, want[name][i], text, "%s, run %d", name, i) {
				break
			}
		}
	}
}

// outputs runs the test of a module, and returns what its programs have printed.
func outputs(t *testing.T, dir string, flags ...string) (all map[string][]string) {
	binary := filepath.Join(dir, "same.test")
	out, err := exec.Command("go",
		slices.Concat([]string{"test", "-c", "-vet=off", "-o=" + binary}, flags)...).CombinedOutput()
	require.NoError(t, err, "%s", out)
	out, err = exec.Command(binary, "-test.timeout=5m").CombinedOutput()
	require.NoError(t, err, "%s", out)
	first, _, _ := strings.Cut(string(out), "\nPASS")
	require.NoError(t, json.Unmarshal([]byte(first), &all), "%s", out)
	return all
}
