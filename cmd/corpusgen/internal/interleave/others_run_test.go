package interleave

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

// The programs with which Go tests its compiler do with points what they do without: outside of a
// run, and in one without delays. They print the same and end with the same status. With
// ESPALIER_LONG=10, all of them run.
func TestOthersRun(t *testing.T) {
	if !long.Enabled() {
		t.Skip("the go command compiles programs")
	}
	programs := runnable(t)
	if len(programs) == 0 {
		t.Skip("GOROOT has no test programs: a toolchain of the module cache has none")
	}
	programs = some(programs, long.Times(1, 60))
	b := newBatch(t)
	exports := exportsFor(t, programs)
	const size = 40 // programs of a binary: all are initialized when one runs
	ran := 0
	for chunk := range slices.Chunk(programs, size) {
		ran += b.runOthers(chunk, exports)
	}
	t.Logf("%d programs, %d of which run by themselves", len(programs), ran)
	require.Greater(t, ran, len(programs)/3)
}

// runnable returns the programs that get points and have no flags.
func runnable(t *testing.T) (programs []*foreign) {
	root, std := goRoot(t)
	for _, f := range readForeignFiles(root, std, "test/*.go", "test/*/*.go") {
		if bytes.HasPrefix(f.text, []byte("// run\n")) && !unfit.Match(f.text) {
			programs = append(programs, f)
		}
	}
	exports := exportsFor(t, programs)
	return slices.DeleteFunc(programs, func(f *foreign) bool {
		if checkOne(f.name, f.text, exports) != nil {
			return true
		}
		_, ok, err := rewriteOne(f.text, exports)
		return !ok || err != nil
	})
}

// unfit matches what does not compile in another package, or tells of the machine: functions
// without bodies, directives, arguments, and statistics.
var unfit = regexp.MustCompile(
	`(?m)^func .*\)[^{]*$|^//go:|^//line|MemStats|os\.Args|runtime\.GC\(\)|runtime\.Stack`)

// runOthers compares programs. It returns how many succeed without points.
func (b *batch) runOthers(programs []*foreign, exports map[string]string) (ran int) {
	var imports, list strings.Builder
	for _, dir := range []string{"others", "run"} {
		require.NoError(b.t, os.RemoveAll(filepath.Join(b.dir, dir)))
	}
	for i, f := range programs {
		text, _, err := rewriteOne(f.text, exports)
		require.NoError(b.t, err)
		if err := checkOne(f.name, text, exports); err != nil {
			b.t.Errorf("%s: %v", f.name, err)
			text = f.text
		}
		for _, way := range []struct{ name, text string }{
			{"plain", string(f.text)}, {"points", string(text)},
		} {
			pkg := fmt.Sprintf("%s%d", way.name, i)
			text := mainPackage.ReplaceAllString(way.text, fmt.Sprint("package p", i))
			b.write("others/"+pkg+"/"+filepath.Base(f.name), text+"\nfunc Main() { main() }\n")
			fmt.Fprintf(&imports, "\t%s %q\n", pkg, batchModule+"/others/"+pkg)
			fmt.Fprintf(&list, "\t%q: %s.Main,\n", pkg, pkg)
		}
	}
	b.write("run/run_test.go",
		strings.NewReplacer("IMPORTS", imports.String(), "LIST", list.String()).Replace(othersTest))
	binary := filepath.Join(b.dir, "run.test")
	cmd := exec.Command("go", "test", "-c", "-vet=off", "-o="+binary, "./run")
	cmd.Dir = b.dir
	out, err := cmd.CombinedOutput()
	require.NoError(b.t, err, "%s", out)
	for i, f := range programs {
		one := func(name, way string) string {
			ctx, cancel := context.WithTimeout(b.t.Context(), 5*time.Minute)
			defer cancel()
			cmd := exec.CommandContext(ctx, binary)
			cmd.Dir = b.dir
			cmd.Env = append(os.Environ(), "PROGRAM="+fmt.Sprint(name, i), "WAY="+way)
			var stdout, stderr bytes.Buffer
			cmd.Stdout, cmd.Stderr = &stdout, &stderr
			err := cmd.Run()
			if err == nil {
				stderr.Reset()
			}
			return strings.ReplaceAll(fmt.Sprint(stdout.String(), "\n", err, "\n",
				stderr.String()[:min(stderr.Len(), 500)]), "/points"+fmt.Sprint(i), "/plain"+fmt.Sprint(i))
		}
		plain := one("plain", "")
		if !strings.HasSuffix(plain, "<nil>\n") || one("plain", "") != plain {
			continue
		}
		ran++
		for _, way := range []string{"", "schedule"} {
			if got := one("points", way); got != plain && !limits.MatchString(got) {
				b.t.Errorf("%s, %q: %s", f.name, way, firstDifference(plain, got))
			}
		}
	}
	return ran
}

var mainPackage = regexp.MustCompile(`(?m)^package main\b`)

// limits matches what programs say that no run can have: those that do too much, and those whose
// channels are made before the run begins.
var limits = regexp.MustCompile("too long for a run|all goroutines are asleep")

const othersTest = `package run

import (
	"fmt"
	"os"
	"testing"
	"testing/synctest"

	schedulepoint "github.com/espalier-go/espalier/bigen/schedule/point"

IMPORTS)

var programs = map[string]func(){
LIST}

func TestMain(*testing.M) {
	main := programs[os.Getenv("PROGRAM")]
	if os.Getenv("WAY") == "" {
		main()
		os.Exit(0)
	}
	ended := false
	defer func() {
		if v := recover(); v != nil && !ended {
			panic(v)
		}
		os.Exit(0)
	}()
	synctest.Test(new(testing.T), func(*testing.T) {
		result := schedulepoint.Run(func(int) []int { return nil }, false, true, synctest.Wait, func() {
			main()
			ended = true
			os.Exit(0)
		}, func(v any) {
			fmt.Fprintln(os.Stderr, "panic:", v)
			os.Exit(1)
		})
		if result.Ending == schedulepoint.Livelock {
			fmt.Fprintln(os.Stderr, "too long for a run")
			os.Exit(1)
		}
	})
	if !ended {
		fmt.Fprintln(os.Stderr, "the program does not end")
		os.Exit(1)
	}
}
`
