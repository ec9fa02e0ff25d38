package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/espalier-go/espalier/bench/seqbugs"
	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/mutate"
)

// A seqModel is a structure of package seqbugs with its models, for Espalier and for rapid.
type seqModel struct {
	name  string // the file with the models is callseq_NAME.go
	ours  func(c *callseq.C)
	rapid func(t *rapid.T)
	bugs  []seqBug
}

// A seqBug is a bug to plant. minimal is how many calls reveal it.
type seqBug struct {
	name    string
	minimal int
}

func seqModels() []seqModel {
	return []seqModel{
		{"tree", ourSeqTree, rapidSeqTree, []seqBug{{"tree remove", 4}, {"tree prev", 7}}},
		{"cache", ourSeqCache, rapidSeqCache, []seqBug{{"cache peek", 4}, {"cache resize", 3}}},
		{"radix", ourSeqRadix, rapidSeqRadix, []seqBug{{"radix alias", 6}, {"radix delete", 6}}},
		{"bits", ourSeqBits, rapidSeqBits, []seqBug{{"bits marshal", 5}, {"bits count", 4}}},
		{"clock", ourSeqClock, rapidSeqClock, []seqBug{{"clock reset", 5}, {"clock equal", 4}}},
	}
}

const seqSeeds = 20

// seqRows compare sequences of calls with rapid's Repeat: how long models are, how many
// sequences find a bug, and how many of 20 failures shrink to the fewest calls.
func seqRows() []row {
	var rows []row
	for i, m := range seqModels() {
		rows = append(rows, row{"callseq/" + m.name + "/lines", "rapid's Repeat", ratioAtMost(1), func(bool) (figure, figure, error) { return m.lines() }})
		for k, b := range m.bugs {
			ours := sync.OnceValues(func() (seqFound, error) { return m.find(b) })
			peer := sync.OnceValues(func() (seqFound, error) { return rapidFind(i, k) })
			both := func(f func(seqFound) figure) func(bool) (figure, figure, error) {
				return func(bool) (figure, figure, error) {
					o, err := ours()
					if err != nil {
						return figure{}, figure{}, err
					}
					r, err := peer()
					return f(o), f(r), err
				}
			}
			rows = append(rows,
				row{"callseq/" + b.name + "/values", "rapid.Check", ratioAtMost(1), both(func(s seqFound) figure { return medianValues(s.Values) })},
				row{"callseq/" + b.name + "/minimal of 20", "rapid.Check", oursAtLeast(seqSeeds), both(func(s seqFound) figure { return figure{value: float64(s.minimal(b))} })})
		}
	}
	return append(rows, row{"callseq/printed code fails", "bugs", ratioAtLeast(1), func(bool) (figure, figure, error) { return seqCode() }})
}

// lines returns the lines of the two functions that describe a structure.
func (m *seqModel) lines() (ours, base figure, err error) {
	_, file, _, _ := runtime.Caller(0)
	files := token.NewFileSet()
	f, err := parser.ParseFile(files, filepath.Join(filepath.Dir(file), "callseq_"+m.name+".go"), nil, parser.SkipObjectResolution)
	if err != nil {
		return ours, base, err
	}
	for _, d := range f.Decls {
		if d, ok := d.(*ast.FuncDecl); ok {
			n := float64(files.Position(d.End()).Line - files.Position(d.Pos()).Line + 1)
			switch strings.ToLower(d.Name.Name) {
			case "ourseq" + m.name:
				ours.value = n
			case "rapidseq" + m.name:
				base.value = n
			}
		}
	}
	return ours, base, nil
}

// seqFound is what was found with each seed.
type seqFound struct {
	Values []int // sequences up to the first that fails
	Calls  []int // of the minimal sequence
}

func (s *seqFound) minimal(b seqBug) (n int) {
	for _, calls := range s.Calls {
		if calls == b.minimal {
			n++
		}
	}
	return n
}

// find looks for a bug with sequences as those of fuzzext.Check.
func (m *seqModel) find(b seqBug) (found seqFound, err error) {
	for seed := range uint64(seqSeeds) {
		n, tree, err := m.hunt(b, seed)
		if err != nil {
			return found, err
		}
		found.Values = append(found.Values, n)
		if tree == nil {
			found.Calls = append(found.Calls, sampleCap)
			continue
		}
		calls, _, err := m.minimize(b, tree)
		if err != nil {
			return found, err
		}
		found.Calls = append(found.Calls, calls)
	}
	return found, nil
}

// hunt returns how many sequences it takes to find a bug, and the choices of the last.
func (m *seqModel) hunt(b seqBug, seed uint64) (int, choices.Tree, error) {
	model := callseq.New(m.ours)
	r := rand.New(rand.NewPCG(seed, sampleStream))
	for n := 1; n <= sampleCap; n++ {
		v, tree, err := bigen.Run(model.Gen(), choices.Varied(r, n-1))
		if err != nil {
			return n, nil, err
		}
		if seqRun(model, v, b.name).failed {
			return n, tree, nil
		}
	}
	return sampleCap, nil, nil
}

// minimize returns the number of calls of the minimal sequence, and what its run prints.
func (m *seqModel) minimize(b seqBug, tree choices.Tree) (calls int, printed string, err error) {
	model := callseq.New(m.ours)
	remake := func(t choices.Tree) (callseq.Calls, choices.Tree, error) {
		return bigen.Run(model.Gen(), choices.Replay(t, nil))
	}
	tree, _, _ = mutate.Minimize(tree, remake, func(v callseq.Calls) bool { return seqRun(model, v, b.name).failed }, 2000)
	v, _, err := remake(tree)
	calls = len(v)
	if calls > 0 && v[0][0] == "setup" {
		calls--
	}
	return calls, seqRun(model, v, b.name).log.String(), err
}

// seqRun runs a sequence with a bug.
func seqRun(model *callseq.Model, v callseq.Calls, bug string) *seqTB {
	tb := &seqTB{}
	seqbugs.Planted = bug
	model.Run(tb, v)
	seqbugs.Planted = ""
	return tb
}

// A seqTB is the test of one run.
type seqTB struct {
	testing.TB
	failed bool
	log    bytes.Buffer
}

func (*seqTB) Helper()              {}
func (tb *seqTB) Failed() bool      { return tb.failed }
func (tb *seqTB) Fail()             { tb.failed = true }
func (*seqTB) Skipped() bool        { return false }
func (tb *seqTB) Output() io.Writer { return &tb.log }
func (tb *seqTB) Errorf(format string, args ...any) {
	tb.failed = true
	fmt.Fprintf(&tb.log, format+"\n", args...)
}

func (tb *seqTB) Fatalf(format string, args ...any) {
	panic(fmt.Sprintf(format, args...)) // what a model must not do
}

// seqEnv makes another process measure rapid: its value is the model and the bug.
const seqEnv = "ESPALIER_BENCH_CALLSEQ"

func rapidFind(model, bug int) (found seqFound, err error) {
	cmd := exec.Command(os.Args[0], "-rapid.nofailfile", fmt.Sprint("-rapid.checks=", sampleCap))
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d %d", seqEnv, model, bug))
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err == nil {
		err = json.Unmarshal(out, &found)
	}
	if err != nil {
		return found, fmt.Errorf("rapid: %w\n%s", err, out)
	}
	return found, nil
}

// seqMain is the other process. It exits before the testing package reports failures.
func seqMain(what string) {
	var model, bug int
	if _, err := fmt.Sscan(what, &model, &bug); err != nil {
		panic(err)
	}
	m := seqModels()[model]
	seqbugs.Planted = m.bugs[bug].name
	testing.Main(func(_, _ string) (bool, error) { return true, nil }, []testing.InternalTest{{Name: "T", F: func(t *testing.T) {
		var found seqFound
		for seed := range uint64(seqSeeds) {
			// rapid increments its seed for each check, so random ones keep runs apart.
			if err := flag.Set("rapid.seed", strconv.FormatUint(rand.New(rand.NewPCG(seed, sampleStream)).Uint64(), 10)); err != nil {
				panic(err)
			}
			n, calls := 0, sampleCap
			failed := false
			t.Run("", func(t *testing.T) {
				rapid.Check(t, func(t *rapid.T) {
					seqbugs.Calls = 0
					if !failed {
						n++
					}
					defer func() {
						if t.Failed() {
							failed, calls = true, seqbugs.Calls
						}
					}()
					m.rapid(t)
				})
			})
			found.Values, found.Calls = append(found.Values, n), append(found.Calls, calls)
		}
		if err := json.NewEncoder(os.Stdout).Encode(found); err != nil {
			panic(err)
		}
		os.Exit(0)
	}}}, nil, nil)
}

// seqCode compiles the statements that the minimal failures print. It returns for how many
// bugs they fail, and how many there are.
func seqCode() (ours, base figure, err error) {
	source := new(strings.Builder)
	fmt.Fprint(source, "package printed\n\nimport (\n\t\"reflect\"\n\t\"testing\"\n\n\t\"github.com/espalier-go/espalier/bench/seqbugs\"\n)\n\nvar _ = reflect.DeepEqual\n")
	for _, m := range seqModels() {
		for _, b := range m.bugs {
			base.value++
			_, tree, err := m.hunt(b, 1)
			if err != nil {
				return ours, base, err
			}
			_, printed, err := m.minimize(b, tree)
			if err != nil {
				return ours, base, err
			}
			_, code, _ := strings.Cut(printed, "calls:\n")
			fmt.Fprintf(source, "\nfunc Test%.0f(t *testing.T) {\n\tseqbugs.Planted = %q\n%s}\n", base.value, b.name, code)
		}
	}
	dir, err := os.MkdirTemp("", "espalier")
	if err != nil {
		return ours, base, err
	}
	defer os.RemoveAll(dir)
	_, file, _, _ := runtime.Caller(0)
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {filepath.Join(filepath.Dir(file), "printed", "printed_test.go"): filepath.Join(dir, "printed_test.go")}})
	if err != nil {
		return ours, base, err
	}
	for name, b := range map[string][]byte{"printed_test.go": []byte(source.String()), "overlay.json": overlay} {
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o666); err != nil {
			return ours, base, err
		}
	}
	binary := filepath.Join(dir, "printed.test")
	build := exec.Command("go", "test", "-c", "-vet=off", "-o", binary, "-overlay", filepath.Join(dir, "overlay.json"), "./printed")
	build.Dir = filepath.Dir(file)
	if out, err := build.CombinedOutput(); err != nil {
		return ours, base, fmt.Errorf("%w\n%s\n%s", err, out, source)
	}
	out, _ := exec.Command(binary).CombinedOutput() // fails
	ours.value = float64(len(regexp.MustCompile(`(?m)^--- FAIL: Test\d+ `).FindAll(out, -1)))
	return ours, base, nil
}
