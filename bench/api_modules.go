package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"github.com/espalier-go/espalier/bigen/callseq"
	"github.com/espalier-go/espalier/bigen/callseq/api"
)

// An apiModule is a package that corpusgen api makes a harness of.
type apiModule struct {
	path, version, pkg string // pkg is the folder of the package in the module
	verdicts           []apiVerdict
}

// An apiVerdict says which error the classes of violations stand for that begin with a text;
// none if it has no name.
type apiVerdict struct{ class, error, why string }

// apiModules have been judged by reading their code and docs. What a caller does wrong by the
// docs, or by an index or a size that makes no sense, is no error.
var apiModules = []apiModule{
	{"github.com/google/btree", "v1.1.3", "", []apiVerdict{
		{"btree.NewFreeList", "", "a negative size"},
	}},
	{"github.com/bits-and-blooms/bitset", "v1.24.0", "", []apiVerdict{
		{"bitSet.UnmarshalBinary: panic: runtime error: makeslice", "ReadFrom", "malformed data panics, instead of returning an error"},
		{"bitSet.ReadFrom: panic: runtime error: makeslice", "ReadFrom", "malformed data panics, instead of returning an error"},
		{"bitSet.OnesBetween", "OnesBetween", "bits beyond the length panic, but not in Test or Count"},
		{"bitSet.DeleteAt", "DeleteAt", "bits beyond the length panic, but not in Clear"},
		{"bitSet.AsSlice", "", "a buffer that is too small"},
		{"bitSet.", "FromWithLength", "a slice longer than the length, which the docs allow, breaks what combines sets"},
		{"contract Clone is equal of bitSet", "FromWithLength", "the same: DeleteAt shortens the length only"},
	}},
	{"github.com/gammazero/deque", "v1.1.0", "", nil},
	{"github.com/armon/go-radix", "v1.0.0", "", nil},
	{"github.com/google/uuid", "v1.6.0", "", nil},
	{"github.com/oklog/ulid/v2", "v2.1.1", "", []apiVerdict{
		{"monotonicEntropy.MonotonicRead", "", "a buffer that is too small"},
	}},
	{"github.com/zyedidia/generic", "v1.2.1", "trie", []apiVerdict{
		{"contract Size of trie", "Remove", "removing a key that is not there decrements the size"},
	}},
	{"github.com/zyedidia/generic", "v1.2.1", "cache", []apiVerdict{
		{"cache.Put", "evict", "a cache of capacity 0 dereferences nil"},
		{"cache.Resize", "evict", "a cache of capacity 0 dereferences nil"},
	}},
	{"github.com/emirpasic/gods/v2", "v2.0.0-alpha", "lists/arraylist", []apiVerdict{
		{"iterator.Value", "", "Next has not been called"},
		{"list.", "FromJSON", "the size remains that of the old elements"},
	}},
	{"github.com/emirpasic/gods/v2", "v2.0.0-alpha", "lists/doublylinkedlist", []apiVerdict{
		{"iterator.", "", "Next has not been called, or the list has changed"},
		{"list.Insert", "Insert", "no values are inserted by dereferencing nil"},
	}},
	{"github.com/emirpasic/gods/v2", "v2.0.0-alpha", "queues/circularbuffer", []apiVerdict{
		{"iterator.Value", "", "Next has not been called"},
		{"contract MarshalJSON of queue", "ToJSON", "it writes slots that are empty"},
	}},
	{"github.com/hashicorp/golang-lru/v2", "v2.0.7", "", nil},
	{"github.com/eapache/queue", "v1.1.0", "", nil},
	{"github.com/Workiva/go-datastructures", "v1.1.5", "bitarray", []apiVerdict{
		{"iterator.Value", "", "Next has not been called"},
		{"bitArray.Nand", "Nand", "arrays of other sizes panic"},
		{"bitArray.ToNums", "ToNums", "an empty array panics"},
		{"bitArray.Equals", "Equals", "arrays of other sizes panic"},
		{"bitArray.GetSetBits", "GetSetBits", "an offset beyond the bits panics"},
		{"bitArray.And", "And", "an empty array panics"},
	}},
}

// An apiCount is a line of papers/002, Figure 7.
type apiCount struct {
	tests, violating, reduced, real, errors int
	unjudged                                int // classes without a verdict
	lines                                   int
}

func (c apiCount) String() string {
	return fmt.Sprintf("%d tests, %d violating, %d after reduction, %d real, %d errors, %d classes without a verdict, %.2f per KLOC",
		c.tests, c.violating, c.reduced, c.real, c.errors, c.unjudged, 1000*float64(c.errors)/float64(c.lines))
}

func (c *apiCount) add(d apiCount) {
	c.tests += d.tests
	c.violating += d.violating
	c.reduced += d.reduced
	c.real += d.real
	c.errors += d.errors
	c.unjudged += d.unjudged
	c.lines += d.lines
}

// judge counts the classes of errors that a module's sequences have revealed.
func (m *apiModule) judge(a apiAnswer) apiCount {
	c := apiCount{tests: a.Stats.Kept + a.Stats.Failed, violating: a.Stats.Failed, reduced: len(a.Classes)}
	found := map[string]bool{}
	for _, class := range a.Classes {
		i := slices.IndexFunc(m.verdicts, func(v apiVerdict) bool { return strings.HasPrefix(class, v.class) })
		switch {
		case i < 0:
			c.unjudged++
			fmt.Fprintf(os.Stderr, "%s/%s: no verdict on %s\n", m.path, m.pkg, class)
		case m.verdicts[i].error != "":
			c.real++
			found[m.verdicts[i].error] = true
		}
	}
	c.errors = len(found)
	return c
}

// modulesErrors is papers/002, Figure 7: the errors that feedback-directed generation finds in
// packages of other modules, and undirected generation. As in the paper's section 3.2.3, that has
// the same parameters, with repetition, and drops sequences that are known; but it extends all
// others, each as likely, whatever they do, by any value.
//
// To learn which contracts give false alarms, the reports of packages of the standard library were
// judged first:
//
//	container/list  1 report   1 error: Remove of an element that Init has left behind
//	container/ring  no report
//	bytes           1 report   no error: a Buffer that reads from itself does not end
//	net/url         4 reports  1 error: the binary form of the URL // is not read back; the
//	                           others have fields that the caller has set
//	net/netip       no report
//
// Three reports less than at first: indexes below 0 given to Next and Peek of a bytes.Buffer, and
// zero values of bufio.Reader, which are usable only after Reset, count as mistakes of the caller.
// Where a class has no verdict, there may be more errors than are counted.
func modulesErrors(r run) (ours, base figure, err error) {
	sum := func(undirected bool) func() (apiCount, error) {
		return func() (apiCount, error) { return modulesCount(r, undirected) }
	}
	return both(sum(false), sum(true), func(c apiCount) figure {
		return figure{value: float64(c.errors), more: c.unjudged > 0}
	})
}

// modulesReduced compares the classes with the tests that violate a contract.
func modulesReduced(r run) (ours, base figure, err error) {
	c, err := modulesCount(r, false)
	return number(float64(c.reduced)), number(float64(c.violating)), err
}

// modulesQuick is what -quick measures.
const modulesQuick = "github.com/Workiva/go-datastructures/bitarray"

func modulesCount(r run, undirected bool) (apiCount, error) {
	return once(fmt.Sprint("modules ", undirected), func() (sum apiCount, err error) {
		for i := range apiModules {
			m := &apiModules[i]
			if r.quick && m.path+"/"+m.pkg != modulesQuick {
				continue
			}
			c, err := m.measure(apiOrder{Seed: 1, Seconds: pick(r, 10., 2), Undirected: undirected, Repeat: .1})
			if err != nil {
				return sum, fmt.Errorf("%s/%s: %w", m.path, m.pkg, err)
			}
			fmt.Fprintf(os.Stderr, "%s/%s, undirected %t: %v\n", m.path, m.pkg, undirected, c)
			sum.add(c)
		}
		fmt.Fprintf(os.Stderr, "all, undirected %t: %v\n", undirected, sum)
		return sum, nil
	})
}

// An apiOrder makes the tests of a harness generate sequences.
type apiOrder struct {
	Seed       uint64
	Seconds    float64 // of CPU time
	Undirected bool
	Repeat     float64
	Running    string          // a file for the sequence that runs
	Answer     string          // a file for the answer: what is tested may print
	Skip       []callseq.Calls // those that have ended the process
	Without    []string        // operations that have ended it three times
}

// An apiAnswer is what they say then.
type apiAnswer struct {
	Stats   api.Stats
	Classes []string
}

// apiRunner is a file beside a harness. It carries out an order.
const apiRunner = `package %s

import (
	"encoding/json"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/espalier-go/espalier/bigen/callseq"
	"github.com/espalier-go/espalier/bigen/callseq/api"
)

func TestMain(*testing.M) {
	var o struct {
		Seed       uint64
		Seconds    float64
		Undirected bool
		Repeat     float64
		Running    string
		Answer     string
		Skip       []callseq.Calls
		Without    []string
	}
	if err := json.Unmarshal([]byte(os.Getenv("ESPALIER_BENCH_API")), &o); err != nil {
		panic(err)
	}
	running, err := os.Create(o.Running)
	if err != nil {
		panic(err)
	}
	used := func() float64 {
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			panic(err)
		}
		return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
	}
	end := used() + o.Seconds
	var line []byte
	suite := calls.Generate(api.Options{
		Seed: o.Seed, Undirected: o.Undirected, Repeat: o.Repeat, Skip: o.Skip, Without: o.Without, Patience: 5 * time.Second, MaxRegressions: -1,
		Stop: func() bool { return used() >= end },
		Before: func(calls []byte) {
			line = append(append(line[:0], calls...), '\n')
			if _, err := running.WriteAt(line, 0); err != nil {
				panic(err)
			}
		},
		Hung: func([]byte) { os.Exit(3) },
	})
	answer := struct {
		Stats   api.Stats
		Classes []string
	}{Stats: suite.Stats}
	for _, e := range suite.Errors {
		answer.Classes = append(answer.Classes, e.Class)
	}
	text, err := json.Marshal(answer)
	if err != nil {
		panic(err)
	}
	if err := os.WriteFile(o.Answer, text, 0o666); err != nil {
		panic(err)
	}
}
`

// measure carries out an order.
func (m *apiModule) measure(o apiOrder) (c apiCount, err error) {
	binary, lines, err := m.build()
	if err != nil {
		return c, err
	}
	o.Running, o.Answer = binary+".running", binary+".answer"
	deaths := map[string]int{} // by operation
	for range 30 {
		text, err := json.Marshal(o)
		if err != nil {
			return c, err
		}
		cmd := exec.Command(binary)
		cmd.Env = append(os.Environ(), "ESPALIER_BENCH_API="+string(text))
		_, err = cmd.Output()
		if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
			calls, err := lastRunning(o.Running)
			if err != nil {
				return c, fmt.Errorf("%w\n%s", err, exit.Stderr)
			}
			o.Skip = append(o.Skip, calls)
			op, _ := calls[len(calls)-1][0].(string)
			if deaths[op]++; deaths[op] == 3 {
				o.Without = append(o.Without, op)
			}
			continue
		}
		var a apiAnswer
		if err == nil {
			text, err = os.ReadFile(o.Answer)
		}
		if err == nil {
			err = json.Unmarshal(text, &a)
		}
		if err != nil {
			return c, err
		}
		for _, class := range a.Classes {
			fmt.Fprintf(os.Stderr, "\t%s\n", class)
		}
		c = m.judge(a)
		c.lines = lines
		return c, nil
	}
	return c, errors.New("sequences keep ending the process")
}

func lastRunning(file string) (calls callseq.Calls, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	line, _, _ := strings.Cut(string(text), "\n")
	return calls, json.Unmarshal([]byte(line), &calls)
}

// build builds the harness. It also returns the lines of the package.
func (m *apiModule) build() (binary string, lines int, err error) {
	_, file, _, _ := runtime.Caller(0)
	root := filepath.Dir(filepath.Dir(file))
	dir := filepath.Join(scratch, regexp.MustCompile(`\W`).ReplaceAllString(m.path+"/"+m.pkg, "-"))
	pkg := strings.TrimSuffix(m.path+"/"+m.pkg, "/")
	binary, err = once("harness "+pkg, func() (string, error) { return m.makeHarness(root, dir, pkg) })
	if err != nil {
		return "", 0, err
	}
	list := exec.Command("go", "list", "-f", `{{$d := .Dir}}{{range .GoFiles}}{{$d}}/{{.}}{{"\n"}}{{end}}`, pkg)
	list.Dir = dir
	out, err := list.Output()
	for name := range strings.Lines(string(out)) {
		text, readErr := os.ReadFile(strings.TrimSpace(name))
		err = errors.Join(err, readErr)
		lines += strings.Count(string(text), "\n")
	}
	return binary, lines, err
}

func (m *apiModule) makeHarness(root, dir, pkg string) (string, error) {
	if err := os.MkdirAll(filepath.Join(dir, "harness"), 0o777); err != nil {
		return "", err
	}
	write := func(name, text string, args ...any) error {
		return os.WriteFile(filepath.Join(dir, name), fmt.Appendf(nil, text, args...), 0o666)
	}
	err := errors.Join(
		write("go.mod", "module modules\n\ngo 1.26.0\n\nrequire (\n\tgithub.com/espalier-go/espalier v0.0.0\n\t%s %s\n)\n\nreplace github.com/espalier-go/espalier => %s\n", m.path, m.version, root),
		write("modules.go", "package modules\n\nimport (\n\t_ %q\n\t_ \"github.com/espalier-go/espalier/bigen/callseq/api\"\n\t_ \"github.com/espalier-go/espalier/fuzzext\"\n)\n", pkg),
	)
	if err == nil {
		err = runIn(dir, "go", "mod", "tidy")
	}
	if err == nil {
		err = runIn(root, "go", "run", "./cmd/corpusgen", "api", "-harness", "-C", dir, "-o", "harness", pkg)
	}
	if err != nil {
		return "", err
	}
	harness, err := os.ReadFile(filepath.Join(dir, "harness", "callseq_fuzz_test.go"))
	if err != nil {
		return "", err
	}
	name := regexp.MustCompile(`(?m)^package (\w+)`).FindSubmatch(harness)[1]
	if err := write("harness/main_test.go", apiRunner, name); err != nil {
		return "", err
	}
	binary := filepath.Join(dir, "harness.test")
	return binary, runIn(dir, "go", "test", "-c", "-o", binary, "./harness")
}
