package apitest

import (
	"errors"
	"maps"
	"os/exec"
	"regexp"
	"slices"
	"strings"

	"github.com/espalier-go/espalier/internal/job"
)

// A death is a sequence that ends the process.
type death struct {
	job.Test                // of its last call; the message is the line of the output that tells
	told     job.Told       // the sequence
	before   map[string]int // how many sequences of its class have an operation before the last call
	differs  bool           // these have other last calls
	hang     bool
	overran  bool   // the process was killed, long after its time
	within   string // see locate
	fills    bool   // the memory
	waits    bool   // for something other than a lock
	locked   bool   // it waits for a lock
}

// fateLine matches the line of the output that says how the process has ended.
var fateLine = regexp.MustCompile(
	`(?m)^(?:fatal error: |panic: |runtime: goroutine stack exceeds |the sequence ).*$`)

// newDeath describes how a process has ended while a sequence ran. pkg is the import path of
// what is tested.
func newDeath(pkg string, told job.Told, output string, exit error) *death {
	last := len(told.Ops) - 1
	d := &death{told: told, before: map[string]int{}}
	d.Op, d.Message, d.Found = told.Ops[last], fateLine.FindString(output), 1
	count(d.before, told.Ops[:last])
	d.classify(output, exit)
	slash := strings.LastIndexByte(pkg, '/') + 1
	symbols := pkg[:slash] + strings.ReplaceAll(pkg[slash:], ".", "%2e") // as functions are called
	d.locate(regexp.QuoteMeta(symbols), output)
	return d
}

// classify tells whether the process hung, filled the memory, or ended otherwise.
func (d *death) classify(output string, exit error) {
	var state *exec.ExitError
	ok := errors.As(exit, &state)
	switch {
	case errors.Is(exit, errOvertime):
		d.hang, d.overran = true, true
	case ok && state.ExitCode() == job.ExitHang:
		d.hang = true
	case d.Message == "" && ok:
		d.Message = exits + state.String()
	case d.Message == "":
		d.Message = exits + "exit status 0"
	}
	d.fills = ok && state.ExitCode() == job.ExitMemory || strings.Contains(output, "out of memory")
	if strings.Contains(output, "stack overflow") ||
		strings.HasPrefix(d.Message, "runtime: goroutine stack exceeds") {
		d.Message = stackOverflow
	}
}

// locate finds the function of the package that has no end, or that has started the goroutine which
// panics. symbols matches how the stacks of the output name the package.
func (d *death) locate(symbols, output string) {
	stacks, waits := output, false
	if d.endless() {
		if stacks, waits = sequenceStack(output); stacks == "" && d.hang {
			d.within = contracts
		}
	}
	frame := regexp.MustCompile(`\n(` + symbols + `\..*)\(.*\n\t.*?([^/\s]+\.go:\d+)`)
	if m := frame.FindStringSubmatch(stacks); m != nil {
		if d.Place = m[2]; d.endless() {
			d.within = m[1]
		}
	}
	d.locked = waits && atLock.MatchString(stacks)
	d.waits = waits && !d.locked
	first, _, _ := strings.Cut(output[strings.Index(output, "\ngoroutine ")+1:], "\n\n")
	creator := regexp.MustCompile(`\ncreated by ` + symbols + `\.(?:.*[.)])?\.?(\w+)`)
	if m := creator.FindStringSubmatch(first); m != nil && !d.endless() {
		d.within = m[1]
	}
}

// endless reports whether a call does not end, or fills the memory.
func (d *death) endless() bool { return d.hang || d.fills }

const stackOverflow = "fatal error: stack overflow"

var digits = regexp.MustCompile(`0x[0-9a-f]+|[0-9]+`)

// class is what deaths that are alike share.
func (d *death) class() string {
	if d.within != "" {
		return d.within
	}
	return callee(d.Op) + ": " + d.way()
}

// way is how the process has ended.
func (d *death) way() string {
	if d.endless() {
		return "it does not end"
	}
	return wayOf(d.Message)
}

// wayOf returns a message without numbers.
func wayOf(message string) string { return digits.ReplaceAllString(message, "#") }

// sequenceStack returns the stack of the goroutine that runs the sequence, and whether that waits
// for others, or else runs. If there is none, no call hangs.
func sequenceStack(output string) (stack string, waits bool) {
	for _, stack := range strings.Split(output, "\n\n") {
		if strings.Contains(stack, "/bigen/callseq/api.(*machine).step(") {
			return stack, !strings.Contains(stack, " [run")
		}
	}
	return "", false
}

// started returns the method or function that has started the goroutine which panics, or "".
func (d *death) started() string {
	if d.endless() {
		return ""
	}
	return d.within
}

// announced reports whether the process has ended by an exit that the comment of the last call
// announces.
func (d *death) announced() bool { return d.told.Warned && d.exits() }

// exits reports whether the call has ended the process by os.Exit or the like.
func (d *death) exits() bool { return strings.HasPrefix(d.Message, exits) }

// unlocks reports whether a caller has unlocked what is not locked.
func (d *death) unlocks() bool {
	return strings.Contains(d.Message, "nlock of unlocked ") &&
		strings.HasSuffix(callee(d.Op), "nlock")
}

// excuse says why a death is not an error, or returns "".
func (d *death) excuse() string {
	switch {
	case d.within == contracts:
		return "every call ends, but what compares values does not"
	case d.runsOn():
		return "by its name, it runs until something stops it"
	case d.announced():
		return "a comment announces it"
	case d.unlocks():
		return "the caller unlocks what is not locked"
	}
	return ""
}

// exits begins the message of a death that says nothing itself.
const exits = "the process ends with "

// callee returns what an operation calls, with fewer or more arguments.
func callee(op string) string {
	op, _, _ = strings.Cut(op, " with ")
	return op
}

// variants returns the operations that call the same as one.
func (g *generation) variants(op string) []string {
	return slices.DeleteFunc(slices.Clone(g.harness.Operations), func(o string) bool {
		return callee(o) != callee(op)
	})
}

// runsOn reports whether only a function hangs whose name says that it runs until something stops
// it.
func (d *death) runsOn() bool {
	op, _, _ := strings.Cut(d.Op, " ")
	return d.hang && !d.differs && forever.MatchString(op)
}

var forever = regexp.MustCompile(`\.(Run|Serve|Start|Listen|ListenAndServe|Wait|Loop)$`)

// atLock matches the stack of a goroutine that waits for a lock.
var atLock = regexp.MustCompile(`^goroutine .* \[(sync\.(RW)?Mutex\.|semacquire)`)

// contracts is what waits if no call does: a lock is held, and the contracts of a value need it.
const contracts = "a contract"

// culprits returns the operations without which a process would not die so again, if they are
// known: operations that start goroutines which panic later, at different calls; or the one that is
// most typical of sequences that wait alike at different calls, as it leaves a lock held. An
// operation that most kept sequences have does not count: without it, little would be left.
func (g *generation) culprits(d *death) []string {
	if d.within == "" || !d.differs || d.fills || d.hang && !d.locked && !d.waits {
		return nil
	}
	usual, kept := map[string]int{}, job.ReadTold(g.order.Restore)
	for _, told := range kept {
		count(usual, told.Ops)
	}
	if !d.hang {
		return slices.DeleteFunc(slices.Clone(g.harness.Operations), func(op string) bool {
			name, _, _ := strings.Cut(op, " ")
			return !strings.HasSuffix(name, "."+d.within) || 2*usual[op] > len(kept)
		})
	}
	culprit, most := "", 0.
	for _, op := range slices.Sorted(maps.Keys(d.before)) {
		odds := float64(d.before[op]) / float64(1+usual[op])
		if d.before[op] >= maxAlike && 2*usual[op] <= len(kept) && odds > most {
			culprit, most = op, odds
		}
	}
	if culprit == "" {
		return nil
	}
	clear(d.before)
	return []string{culprit}
}

// count adds one for each of some operations.
func count(n map[string]int, ops []string) {
	for i, op := range ops {
		if !slices.Contains(ops[:i], op) {
			n[op]++
		}
	}
}

// bury adds a death to the known ones. It returns the one of its class.
func (g *generation) bury(d *death) *death {
	g.died++
	for _, old := range g.deaths {
		if old.class() == d.class() {
			old.Found++
			old.differs = old.differs || d.Op != old.Op
			count(old.before, d.told.Ops[:len(d.told.Ops)-1])
			if len(d.told.Ops) < len(old.told.Ops) {
				old.told, old.Op, old.Place = d.told, d.Op, d.Place
			}
			return old
		}
	}
	if d.hang { // it takes longer to minimize
		g.deaths = append(g.deaths, d)
	} else {
		g.deaths = slices.Insert(g.deaths, 0, d)
	}
	return d
}

// excused notes a death that is not an error, with others for the same reason.
func (g *generation) excused(d *death, why string) {
	g.suite.Stats.Invalid += d.Found
	if i := slices.IndexFunc(g.excuses, func(e excuse) bool {
		return e.Why == why && wayOf(e.Message) == wayOf(d.Message)
	}); i >= 0 {
		g.excuses[i].Ops = append(g.excuses[i].Ops, d.Op)
		return
	}
	g.excuses = append(g.excuses, excuse{why, d.Message, []string{d.Op}})
}

// An excuse is why sequences that end the process are not errors.
type excuse struct {
	Why     string
	Message string   // of the first
	Ops     []string // that end them
}
