package proptest

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/apigen"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/finding"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/mistake"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
	"github.com/espalier-go/espalier/internal/job"
)

// A result is how a property does.
type result struct {
	passed bool
	unrun  bool   // there was no time for it
	why    string // it cannot stay, whatever the package does
	seed   string // of the values of which one fails
	failure
}

// A failure is how a property fails.
type failure struct {
	property       *apigen.Property
	message, value string
	calls          string // of a sequence
	passes         string // what passes in place of a part of the value
	panics         bool
	runtime        bool // with a run-time error
	always         bool // whatever the value is
}

// patience is how long a property may run, even if hardly more time is left.
const patience = 3 * time.Second

// together is how many properties run in one process.
const together = 10

// Reasons to drop a property.
const (
	tooFew = "nearly all values are invalid for its property, so that a run may say nothing"
	noTime = "there was no time to run its property to the end"
)

// A process is a run of tests.
type process struct {
	exit   gotest.Exit
	late   bool // the clock has ended it
	output string
	told   []byte
}

// process runs tests in a process of their own, for about as long as a limit of CPU time beside what
// a process takes that runs no test.
func (c *check) process(
	ctx context.Context, tests []string, o mistake.Order, limit time.Duration, more ...string,
) (process, error) {
	root, err := os.MkdirTemp(c.tmp, "process-")
	if err != nil {
		return process{}, err
	}
	defer os.RemoveAll(root)
	if o.File != "" {
		o.File = root + string(os.PathSeparator) + "told"
		if err := os.WriteFile(o.File, nil, 0o666); err != nil {
			return process{}, err
		}
	}
	limited, cancel := context.WithTimeout(ctx, slowest*limit+2*c.idle.exit.Wall)
	defer cancel()
	var out bytes.Buffer
	binary := *c.binary
	binary.Package.Dir = root // where failing values are saved
	args := []string{"-test.run=^(" + strings.Join(tests, "|") + ")$", "-test.timeout=0"}
	all := []string{o.Text()}
	for _, name := range []string{"TMPDIR", "TMP", "TEMP"} {
		all = append(all, name+"="+root)
	}
	for _, x := range more {
		if strings.HasPrefix(x, "-") {
			args = append(args, x)
		} else {
			all = append(all, x)
		}
	}
	p := process{exit: binary.Run(gotest.Process{
		Args: args, Vars: all, Dirs: []string{root, c.env.GOCACHE}, Output: &out,
		Interrupt: ctx, Kill: limited,
	})}
	p.output, p.late = withoutPaths(out.String(), binary.Path, root), limited.Err() != nil
	if c.spent += max(p.exit.CPU-c.idle.exit.CPU, 0); p.late {
		c.spent += limit
	}
	if ctx.Err() != nil {
		return p, context.Cause(ctx)
	}
	if o.File != "" {
		p.told, err = os.ReadFile(o.File)
	}
	return p, err
}

// withoutPaths removes the paths of the test binary and of the directory in which it runs from what
// it prints, also from Go strings: they tell a reader nothing, and stand in files to commit.
func withoutPaths(output, binary, root string) string {
	name := binary[strings.LastIndexAny(binary, `/\`)+1:]
	for _, at := range [][2]string{{binary, name}, {root, "TMP"}} {
		output = strings.ReplaceAll(output, at[0], at[1])
		quoted := strconv.Quote(at[0])
		output = strings.ReplaceAll(output, quoted[1:len(quoted)-1], at[1])
	}
	return output
}

// brief are the arguments of a process in which only verdicts matter.
func brief(seed string, values int) []string {
	return []string{seed, fmt.Sprint(job.Brief, "=", values), "-test.v", "-fuzzext.timeout=2s"}
}

// seeds is how many times a property runs, each time on other values, as with plain go test.
const seeds = 10

// seeded has all processes try the same values.
var seeded = seedOf(0)

// seedOf returns the variable that selects the values of a round.
func seedOf(round int) string {
	if round == 0 {
		return "FUZZEXT_SEED=write"
	}
	return fmt.Sprint("FUZZEXT_SEED=write", round)
}

// trial runs all properties, and those that pass again with other seeds, as long as enough of the
// CPU time is left. What fails runs again alone, for its minimal value.
func (c *check) trial(ctx context.Context, enough time.Duration) (err error) {
	c.idle = process{}
	if c.idle, err = c.process(ctx, []string{"NoTest"}, mistake.Order{}, time.Minute); err != nil {
		return err
	}
	c.spent -= c.idle.exit.CPU
	n := session.Count(len(c.props.All), "property", "properties")
	c.Phase("trying %s of %s", n, c.pkg.Path)
	c.deadline = time.Now().Add(slowest * c.time) // now: the first of them always run
	for _, q := range c.props.All {
		c.results[q.Name] = &result{unrun: true}
	}
	for round := range seeds {
		var todo []string
		for _, q := range c.props.All {
			if r := c.results[q.Name]; round == 0 || r.passed {
				todo = append(todo, q.Name)
			}
		}
		if round > 0 && c.left() < enough {
			break
		}
		if err := c.round(ctx, todo, seedOf(round)); err != nil {
			return err
		}
	}
	for _, q := range c.props.All {
		if r := c.results[q.Name]; !r.passed && !r.unrun && r.why == "" && !q.Guess() {
			if err := c.look(ctx, q, r); err != nil {
				return err
			}
		}
	}
	return nil
}

// round runs properties on the values of a seed. The results of those that it cannot run stay.
func (c *check) round(ctx context.Context, todo []string, seed string) error {
	for len(todo) > 0 && c.left() > 0 {
		c.Status("trying %d properties of %s", len(todo), c.pkg.Path)
		some := todo[:min(len(todo), together)]
		limit := max(c.left()/8, 2*patience)
		p, err := c.process(ctx, some, mistake.Order{}, limit, brief(seed, values)...)
		if err != nil {
			return err
		}
		v := verdictsOf(p.output)
		for name, passed := range v.passed {
			c.results[name] = &result{passed: passed, seed: seed}
			if seldomValid(v.text[name]) {
				c.results[name] = &result{why: tooFew}
				if c.props.IsRest(name) { // the property of all of these discards no value
					c.results[name] = &result{passed: true, seed: seed}
				}
			}
		}
		next := slices.Clone(todo[len(some):])
		for _, name := range some {
			if _, known := v.passed[name]; !known && v.last != "" && name != v.last {
				next = append(next, name)
			}
		}
		if _, known := v.passed[v.last]; !known && v.last != "" && !p.late {
			c.results[v.last] = &result{
				why: "its property ends the process: " + session.FirstLine(firstOf(p.output)),
			}
		}
		todo = next
	}
	return nil
}

// fewest is how many values must be valid, of a round in which few are: twice as many as Check asks
// for, which has other values each time.
const fewest = 200

var rare = regexp.MustCompile(`only (\d+) of \d+ random values are valid, fewer than`)

// seldomValid reports whether a test that says this may have no verdict in another run.
func seldomValid(output string) bool {
	m := rare.FindStringSubmatch(output)
	if m == nil {
		return false
	}
	n, err := strconv.Atoi(m[1])
	return err == nil && n < fewest
}

// firstOf returns the part of an output that says why a process has ended.
func firstOf(output string) string {
	for _, begin := range []string{"panic: ", "fatal error: "} {
		if i := strings.LastIndex(output, "\n"+begin); i >= 0 {
			return output[i+1:]
		}
	}
	return output
}

// A verdicts is what an output says of tests.
type verdicts struct {
	passed map[string]bool   // of those that have ended
	text   map[string]string // what they have printed
	last   string            // the test that began last
}

var (
	begins = regexp.MustCompile(`(?m)^=== RUN +(\w+)$`)
	ended  = regexp.MustCompile(`(?m)^--- (PASS|FAIL): (\w+) `)
)

// verdictsOf reads the output of -test.v.
func verdictsOf(output string) verdicts {
	v := verdicts{passed: map[string]bool{}, text: map[string]string{}}
	for _, m := range ended.FindAllStringSubmatch(output, -1) {
		v.passed[m[2]] = m[1] == "PASS"
	}
	all := begins.FindAllStringSubmatchIndex(output, -1)
	for i, m := range all {
		end := len(output)
		if i+1 < len(all) {
			end = all[i+1][0]
		}
		v.last = output[m[2]:m[3]]
		v.text[v.last] = output[m[1]:end]
	}
	return v
}

// look runs a property that fails alone, and says how it does.
func (c *check) look(ctx context.Context, q *apigen.Property, r *result) error {
	c.Status("running %s", q.Name)
	limit := max(c.left()/6, 3*patience)
	p, err := c.process(ctx, []string{q.Name}, mistake.Order{}, limit, r.seed,
		fmt.Sprint("-fuzzext.checks=", values))
	switch output := p.output; {
	case err != nil:
		return err
	case p.exit.Err == nil: // not because of these values
		r.why = "its property fails only sometimes"
	case p.late:
		r.unrun = true
	case rare.MatchString(output):
		r.why = tooFew
	case strings.Contains(output, "panic: bigen"):
		r.why = "bigen.For has no generator of its arguments"
	case !strings.Contains(output, "--- FAIL: "):
		r.why = "its property ends the process: " + session.FirstLine(firstOf(output))
	default:
		r.message = session.FirstLine(finding.Message(output))
		r.value = section(output, job.MinimalValue)
		r.calls = section(output, "calls:")
		r.passes = section(output, job.PassesWith+":")
		r.panics = strings.HasPrefix(r.message, "panic: ")
		r.runtime = strings.Contains(r.message, "runtime error")
		r.always = r.passes == "" && alwaysFails(r.value)
	}
	return nil
}

// alwaysFails reports whether no part of a minimal value matters.
func alwaysFails(value string) bool {
	for line := range strings.Lines(value) {
		line = strings.TrimSpace(line)
		if line != "args{" && line != "}" && !strings.Contains(line, "any value fails") {
			return false
		}
	}
	return true
}

// ordinary matches the part of a value that a caller might well give: a text with letters or
// digits, or a number from 1 to 9999.
var ordinary = regexp.MustCompile(`"[^"]*[a-zA-Z0-9][^"]*"|(^|[^\w.-])[1-9]\d{0,3}\b`)

// unusual reports whether a minimal value is one that a caller might not give: it has nothing but
// what is empty, zero, negative, large or odd.
func unusual(value string) bool {
	return !ordinary.MatchString(escaped.ReplaceAllString(value, "?"))
}

// escaped matches a character of a Go string that is not written as it is.
var escaped = regexp.MustCompile(`\\(x..|u....|U........|[0-7]{3}|.)`)

// section returns the lines below a header in the report of a check, which are indented further.
func section(output, header string) string {
	_, after, _ := strings.Cut(output, header)
	var lines []string
	for i, line := range strings.Split(after, "\n") {
		if i > 0 && !strings.HasPrefix(line, "        ") {
			break
		}
		if i > 0 {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

// oneLine returns the parts of a value that matter in one line, as in {A: 1}.
func oneLine(value string) string {
	var parts []string
	for line := range strings.Lines(value) {
		line, comment, _ := strings.Cut(line, " // ")
		if strings.Contains(comment, "any value fails") {
			continue
		}
		parts = append(parts, strings.Join(strings.Fields(line), " "))
	}
	text := strings.Join(parts, " ")
	for _, fix := range [][2]string{{"{ ", "{"}, {", }", "}"}, {"args{", "{"}} {
		text = strings.ReplaceAll(text, fix[0], fix[1])
	}
	switch text {
	case "":
		return "any value"
	case "{}":
		return "zero values"
	}
	return text
}
