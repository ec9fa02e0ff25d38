package interleave

import (
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/loader"
	"github.com/espalier-go/espalier/internal/testing/gocmd"
	"github.com/espalier-go/espalier/internal/testing/goprogram"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/espalier-go/espalier/mutate"
	"github.com/stretchr/testify/require"
)

// Programs of package goprogram do with points what they do without: outside of a run, and under
// schedules. A program that does not is minimized. This runs 100,000 programs, in hours:
//
//	ESPALIER_LONG=500 go test -timeout 0 -run TestPrograms ./cmd/corpusgen/internal/interleave
//
// The flags -programs.seed, -programs.report and -programs.save come after -args.
func TestPrograms(t *testing.T) {
	b := newBatch(t)
	count := long.Times(20, 200)
	size := min(count, 1000)  // programs of a binary
	found := map[string]int{} // failures, by classes
	total := 0
	for seed := *firstSeed; total < count; seed++ {
		r := rand.New(rand.NewPCG(seed, 1))
		var trees []choices.Tree
		var programs []*goprogram.Node
		for range min(size, count-total) {
			p, tree, err := bigen.Run(goprogram.Gen, choices.Random(r))
			require.NoError(t, err)
			programs, trees = append(programs, p), append(trees, tree)
		}
		total += len(programs)
		differ, err := b.compare(programs)
		require.NoError(t, err, "seed %d", seed)
		for i, d := range differ {
			if found[d.class]++; found[d.class] > 1 || len(found) > *mostReported {
				continue
			}
			text, source := b.minimize(trees[i], d.class)
			t.Errorf("seed %d, program %d: %s\nminimized: %s\n%s", seed, i, d.text, text, source)
			if *save != "" {
				dir := filepath.Join(*save, fmt.Sprintf("seed%d-program%d", seed, i))
				require.NoError(t, os.MkdirAll(dir, 0o777))
				require.NoError(t, os.WriteFile(filepath.Join(dir, "prog.go"), []byte(source), 0o666))
				require.NoError(t, os.WriteFile(filepath.Join(dir, "WHY.txt"), []byte(text+"\n"), 0o666))
			}
		}
	}
	t.Logf("%d programs", total)
	require.Empty(t, found)
}

var (
	firstSeed    = flag.Uint64("programs.seed", 1, "the `seed` of the first binary's programs; the next follow")
	mostReported = flag.Int("programs.report", 5, "how many classes of failures to minimize")
	save         = flag.String("programs.save", "", "write minimized programs to this `directory`")
)

// A batch compiles programs, in a module of its own, as they are and with points: as two packages
// of one binary.
type batch struct {
	t       *testing.T
	dir     string
	exports map[string]string
}

const batchModule = "example.com/batch"

func newBatch(t *testing.T) *batch {
	root, err := filepath.Abs(filepath.Join("..", "..", "..", ".."))
	require.NoError(t, err)
	b := &batch{t: t, dir: gocmd.TempDir(t)}
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(root, name))
		require.NoError(t, err)
		return string(text)
	}
	const module = "github.com/espalier-go/espalier"
	b.write("go.mod", strings.Replace(read("go.mod"), "module "+module, "module "+batchModule, 1)+
		"\nrequire "+module+" v0.0.0\nreplace "+module+" => "+strconv.Quote(root)+"\n")
	b.write("go.sum", read("go.sum"))
	b.write("world/world.go", goprogram.World)
	program, err := bigen.Value(goprogram.Gen, choices.Random(rand.New(rand.NewPCG(1, 1))))
	require.NoError(t, err)
	b.write("progs/imports.go", goprogram.Source(program, 0))
	b.write("progs/common.go", goprogram.Common)
	t.Chdir(b.dir)
	found, err := loader.List(t.Context(), []string{"-deps"}, "./progs", "testing/synctest", pointPath)
	require.NoError(t, err)
	b.exports = loader.Exports(found)
	return b
}

func (b *batch) write(name, text string) {
	file := filepath.Join(b.dir, filepath.FromSlash(name))
	require.NoError(b.t, os.MkdirAll(filepath.Dir(file), 0o777))
	require.NoError(b.t, os.WriteFile(file, []byte(text), 0o666))
}

// A difference says what a program with points does otherwise.
type difference struct{ class, text string }

// compare returns the programs that differ, by their numbers.
func (b *batch) compare(programs []*goprogram.Node) (map[int]difference, error) {
	differ, names := map[int]difference{}, []string{}
	for _, dir := range []string{"progs", "points"} {
		require.NoError(b.t, os.RemoveAll(filepath.Join(b.dir, dir)))
	}
	b.write("progs/common.go", goprogram.Common)
	for i, p := range programs {
		name := fmt.Sprintf("p%d.go", i)
		names = append(names, name)
		b.write("progs/"+name, goprogram.Source(p, i))
	}
	const common = "common.go"
	texts, wrong, err := rewritePackage(filepath.Join(b.dir, "progs"), append(names, common),
		b.exports)
	if err == nil {
		err = wrong[common]
	}
	if err != nil {
		return nil, err
	}
	b.write("points/"+common, string(texts[common]))
	var run []int
	for i, name := range names {
		if err := wrong[name]; err != nil {
			message := err.Error()
			differ[i] = difference{"compile " + skeleton(message), "does not type-check: " + message}
			continue
		}
		run = append(run, i)
		b.write("points/"+name, string(texts[name]))
	}
	if len(run) == 0 {
		return differ, nil
	}
	traces, err := b.run(run)
	if err != nil {
		return nil, err
	}
	for _, i := range run {
		plain := traces["plain"][i]
		for _, way := range ways {
			if got := traces[way][i]; got != plain && differ[i].class == "" {
				differ[i] = difference{way + ": " + traceClass(plain, got),
					way + ":\n" + firstDifference(plain, got)}
			}
		}
	}
	return differ, nil
}

// ways are how programs with points run. A program that differs without points is not
// deterministic, which is a failure of package goprogram.
var ways = []string{"plain again", "no run", "schedule 0", "schedule 1", "schedule 2"}

// run runs programs in all ways. It returns their traces.
func (b *batch) run(programs []int) (map[string]map[int]string, error) {
	var list strings.Builder
	for _, i := range programs {
		fmt.Fprintf(&list, "\t{%d, progs.Prog%[1]d, points.Prog%[1]d},\n", i)
	}
	b.write("run/run_test.go", strings.Replace(runTest, "PROGRAMS", list.String(), 1))
	out := filepath.Join(b.dir, "traces")
	cmd := exec.Command("go", "test", "-vet=off", "-ldflags=-s -w", "-gcflags=-dwarf=false",
		"-count=1", "-timeout=30m", "./run", "-args", out)
	cmd.Dir = b.dir
	text, err := cmd.CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("%w: %s", err, text[:min(len(text), 6000)])
	}
	data, err := os.ReadFile(out)
	if err != nil {
		return nil, err
	}
	traces := map[string]map[int]string{}
	for part := range strings.SplitSeq(string(data), "\x00") {
		head, trace, _ := strings.Cut(part, "\n")
		if way, number, ok := strings.Cut(head, ": "); ok {
			i, err := strconv.Atoi(number)
			if err != nil {
				return nil, err
			}
			if traces[way] == nil {
				traces[way] = map[int]string{}
			}
			traces[way][i] = trace
		}
	}
	return traces, nil
}

// runTest is the test that runs the programs. A schedule has the same delays in all goroutines.
const runTest = `package run

import (
	"bufio"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"testing/synctest"

	points "example.com/batch/points"
	"example.com/batch/progs"
	"example.com/batch/world"
	schedulepoint "github.com/espalier-go/espalier/bigen/schedule/point"
)

var programs = []struct {
	n             int
	plain, points func(*world.W)
}{
PROGRAMS}

func TestPrograms(t *testing.T) {
	f, err := os.Create(flag.Arg(0))
	if err != nil {
		t.Fatal(err)
	}
	out := bufio.NewWriter(f)
	for _, p := range programs {
		fmt.Fprintf(out, "plain: %d\n%s\x00", p.n, trace(p.plain))
		fmt.Fprintf(out, "plain again: %d\n%s\x00", p.n, trace(p.plain))
		fmt.Fprintf(out, "no run: %d\n%s\x00", p.n, trace(p.points))
		for s := range 3 {
			fmt.Fprintf(out, "schedule %d: %d\n%s\x00", s, p.n, scheduled(uint64(s), p.points))
		}
	}
	if err := out.Flush(); err != nil {
		t.Fatal(err)
	}
}

func trace(f func(*world.W)) string {
	w := world.New()
	f(w)
	return w.Trace()
}

func scheduled(seed uint64, f func(*world.W)) (text string) {
	w := world.New()
	ended := false
	defer func() {
		v := recover()
		if text = w.Trace(); !ended {
			text += fmt.Sprintln("the program does not end", v)
		}
	}()
	delays := func(g int) (at []int) {
		r := rand.New(rand.NewPCG(seed, uint64(g)))
		for range 3 * int(seed) {
			at = append(at, r.IntN(30*int(seed)))
		}
		slices.Sort(at)
		return slices.Compact(at)
	}
	synctest.Test(new(testing.T), func(*testing.T) {
		schedulepoint.Run(delays, false, true, synctest.Wait, func() { f(w); ended = true },
			func(v any) { w.P("panic", v) })
	})
	return ""
}
`

// minimize returns the smallest program found that differs likewise, and how.
func (b *batch) minimize(tree choices.Tree, class string) (text, source string) {
	compare := func(p *goprogram.Node) (d difference) {
		all, err := b.compare([]*goprogram.Node{p})
		if err != nil {
			return d
		}
		return all[0]
	}
	remake := func(t choices.Tree) (*goprogram.Node, choices.Tree, error) {
		return bigen.Run(goprogram.Gen, choices.Replay(t, nil))
	}
	calls := 2000
	if !strings.HasPrefix(class, "compile ") {
		calls = 150
	}
	simplest, _, _ := mutate.Minimize(tree, remake,
		func(p *goprogram.Node) bool { return compare(p).class == class }, calls)
	p, _, err := remake(simplest)
	require.NoError(b.t, err)
	return compare(p).text, goprogram.Source(p, 0)
}

// firstDifference returns the first lines that differ.
func firstDifference(want, got string) string {
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	from := func(lines []string) string {
		return strings.Join(lines[min(i, len(lines)):min(i+4, len(lines))], "\n")
	}
	return fmt.Sprintf("after %d lines of trace, without points:\n%s\nwith points:\n%s", i, from(a),
		from(b))
}

// traceClass returns a class for a difference of traces: the beginning of the first lines that
// differ.
func traceClass(want, got string) string {
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			x, y := strings.Fields(a[i]+" end"), strings.Fields(b[i]+" end")
			return skeleton(strings.Join(x[:min(2, len(x))], " ") + " / " +
				strings.Join(y[:min(2, len(y))], " "))
		}
	}
	return "length"
}

// skeleton returns a message without names and numbers of one program.
func skeleton(message string) string {
	if _, rest, ok := strings.Cut(message, ": "); ok {
		message = rest
	}
	return regexp.MustCompile(`(?s)\(.*\)|\d+`).ReplaceAllString(message, "")
}

// rewritePackage returns the files of a package with points, by their names, and what is wrong
// about each file that does not type-check any more.
func rewritePackage(
	dir string, names []string, exports map[string]string,
) (texts map[string][]byte, wrong map[string]error, err error) {
	p := newProgram()
	l := loader.Package{ImportPath: batchModule + "/" + filepath.Base(dir), Dir: dir, GoFiles: names}
	if err := p.check(l, exports); err != nil {
		return nil, nil, err
	}
	pointed := withPoints(p)
	texts, wrong = map[string][]byte{}, map[string]error{}
	for _, note := range p.notes {
		file, _, _ := strings.Cut(note, ":")
		wrong[filepath.Base(file)] = errors.New(note)
	}
	u := p.units[0]
	fset := token.NewFileSet()
	var files []*ast.File
	for i := range u.files {
		text, ok := pointed[&u.files[i]]
		if !ok {
			text = u.files[i].Text
		}
		texts[names[i]] = text
		file, err := parser.ParseFile(fset, names[i], text, parser.SkipObjectResolution)
		if err != nil {
			wrong[names[i]] = err
			continue
		}
		files = append(files, file)
	}
	config := types.Config{
		Importer: loader.Importer(fset, func(path string) string { return exports[path] }),
		Error: func(err error) {
			if at := (types.Error{}); errors.As(err, &at) {
				name := fset.PositionFor(at.Pos, false).Filename
				if wrong[name] == nil {
					wrong[name] = err
				}
			}
		},
	}
	config.Check("points", fset, files, nil)
	return texts, wrong, nil
}
