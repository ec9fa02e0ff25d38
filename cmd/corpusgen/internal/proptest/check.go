package proptest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/apigen"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/finding"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
	"github.com/espalier-go/espalier/internal/job"
)

// A check runs the properties of a package.
type check struct {
	*writing
	pkg     *apigen.Package
	props   *apigen.Properties
	file    string // that will have them
	binary  *gotest.Binary
	fails   map[string]failure // of properties that stay, by their tests
	dropped []string           // lines about properties that do not
	unrun   int                // properties without time
}

// A failure is how a property has failed.
type failure struct{ message, value string }

// text returns the file of the properties.
func (c *check) text() ([]byte, error) {
	text, err := c.props.Text(head)
	return []byte(session.Signed(apigen.Written, string(text))), err
}

// run builds and runs the properties, and drops or weakens those that fail for a reason of their
// own.
func (c *check) run(ctx context.Context) error {
	deadline := time.Now().Add(c.time)
	for todo := slices.Clone(c.props.All); len(todo) > 0; {
		c.Status("building the tests of %s", c.pkg.Path)
		began := time.Now()
		if err := c.build(ctx); err != nil {
			return err
		}
		deadline = deadline.Add(time.Since(began)) // the time is for running them
		var weakened []apigen.Property
		for _, q := range todo {
			c.Status("running %s", q.Name)
			i := slices.IndexFunc(c.props.All, func(r apigen.Property) bool { return r.Name == q.Name })
			switch why := c.try(ctx, q.Name, deadline); {
			case ctx.Err() != nil:
				return context.Cause(ctx)
			case why == tooFew && c.props.All[i].Weaken():
				weakened = append(weakened, q)
			case why != "":
				c.props.Drop(q.Name, why)
				if why != noTime {
					c.dropped = append(c.dropped, q.Name+" is dropped: "+why)
				}
			}
		}
		todo = weakened
	}
	return nil
}

// build builds a test binary of the file alone, after go vet has passed.
func (c *check) build(ctx context.Context) error {
	overlay := map[string]string{c.file: filepath.Join(c.tmp, "file")}
	others, err := filepath.Glob(filepath.Join(filepath.Dir(c.file), "*_test.go"))
	if err != nil {
		return err
	}
	for _, path := range others {
		if path != c.file {
			overlay[path] = ""
		}
	}
	list := filepath.Join(c.tmp, "overlay.json")
	if err := gotest.WriteOverlay(list, "", overlay); err != nil {
		return err
	}
	pkg := gotest.Package{Path: c.pkg.Path, Dir: c.pkg.Dir}
	if dir := filepath.Dir(c.file); dir != pkg.Dir {
		pkg.Path = dir
	}
	for {
		text, err := c.text()
		if err != nil {
			return err
		}
		if err := os.WriteFile(overlay[c.file], text, 0o666); err != nil {
			return err
		}
		args := slices.Concat([]string{"vet"}, c.flags.BuildFlags(),
			[]string{"-overlay=" + list, pkg.Path})
		_, err = gotest.Output(ctx, args...)
		if err == nil || !c.dropVetted(string(text), err.Error()) {
			break
		}
	}
	flags := slices.Concat(c.flags.BuildFlags(session.LinkTag), c.flags.LinkFlags(),
		[]string{"-vet=off", "-overlay=" + list})
	var warnings string
	binary := filepath.Join(c.tmp, "properties.test"+c.env.GOEXE)
	c.binary, warnings, err = gotest.Build(ctx, c.env, pkg, binary, flags)
	if broken := (*gotest.BuildError)(nil); errors.As(err, &broken) {
		return fmt.Errorf("the tests of %s do not compile, which is an error of corpusgen:\n%w",
			c.pkg.Path, err)
	} else if err != nil {
		return err
	}
	c.binary.Package.Dir = c.tmp // where failing values are saved
	c.Warn(warnings)
	return nil
}

// dropVetted drops the properties that go vet names, and reports whether there are some.
func (c *check) dropVetted(text, vetted string) (found bool) {
	file := regexp.QuoteMeta(filepath.Base(c.file))
	place := regexp.MustCompile(`(?m)^.*` + file + `:(\d+):\d+: (.*)$`)
	for _, m := range place.FindAllStringSubmatch(vetted, -1) {
		line, _ := strconv.Atoi(m[1])
		name := ""
		for _, l := range strings.Split(text, "\n")[:line] {
			if after, ok := strings.CutPrefix(l, "func "); ok {
				name, _, _ = strings.Cut(after, "(")
			}
		}
		n := len(c.props.All)
		c.props.Drop(name, "go vet says of its property: "+m[2])
		found = found || len(c.props.All) < n
	}
	return found
}

// patience is how long a property may run, even if hardly more time is left.
const patience = 3 * time.Second

// Verdicts about properties.
const (
	tooFew = "nearly all values are invalid for its property"
	noTime = "there was no time to run its property to the end"
)

// try runs a property. It returns why it should not stay; "" if it passes, or has found something.
func (c *check) try(ctx context.Context, test string, deadline time.Time) string {
	left := time.Until(deadline)
	if left <= 0 {
		c.unrun++
		return noTime
	}
	limit := min(left, max(left/6, patience))
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	var out bytes.Buffer
	args := []string{"-test.run=^" + test + "$", "-fuzzext.seed=1"} // so that all runs write the same
	exit := c.binary.Run(gotest.Process{Args: args, Output: &out, Interrupt: limited, Kill: limited})
	output := out.String()
	switch {
	case exit.Err == nil:
		return ""
	case limited.Err() != nil: // by the clock: the machine may be the reason
		c.unrun++
		return noTime
	case strings.Contains(output, "random values are valid, fewer than"):
		return tooFew
	case strings.Contains(output, "panic: bigen"):
		return "bigen.For has no generator of its arguments"
	case !strings.Contains(output, "--- FAIL: "):
		return "its property ends the process: " + session.FirstLine(output)
	}
	f := failure{finding.Message(output), section(output, job.MinimalValue)}
	if passes := section(output, job.PassesWith+":"); passes != "" {
		f.value += "\n\tit passes with:\n" + passes
	} else if strings.HasPrefix(f.message, "panic: ") &&
		!strings.Contains(f.message, "runtime error") && alwaysFails(f.value) {
		return "it refuses what its property has tried: " + session.FirstLine(f.message)
	}
	c.fails[test] = f
	return ""
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

// section returns the lines below a header in the report of a check, which are indented further.
func section(output, header string) string {
	_, after, _ := strings.Cut(output, header)
	lines := strings.Split(after, "\n")[1:]
	end := slices.IndexFunc(lines, func(line string) bool {
		return !strings.HasPrefix(line, "        ")
	})
	lines = lines[:max(end, 0)]
	if len(lines) > maxLines {
		lines = append(lines[:maxLines], "        …")
	}
	return strings.Join(lines, "\n")
}

const maxLines = 20 // of a value

// saved is where a check saves failing values.
var saved = filepath.Join("testdata", "fuzzext")

// keep saves the failing values of the properties that stay.
func (c *check) keep() error {
	for test := range c.fails {
		from := filepath.Join(c.tmp, saved, test)
		if _, err := os.Stat(from); err != nil {
			continue // it fails without a value
		}
		to := filepath.Join(filepath.Dir(c.file), saved, test)
		if err := os.CopyFS(to, os.DirFS(from)); err != nil && !errors.Is(err, os.ErrExist) {
			return err
		}
	}
	return nil
}

// report says what has been written, and what it has found.
func (c *check) report() {
	to := c.Text
	if c.print {
		to = os.Stderr
	}
	line := func(format string, args ...any) { c.Print(to, fmt.Sprintf(format+"\n", args...)) }
	line("%s: %s in %s (%s left out)", c.pkg.Path,
		session.Count(len(c.props.All), "property", "properties"), gotest.Short(c.file),
		session.Count(len(c.props.Left()), "function", "functions"))
	for _, q := range c.props.All {
		if f, ok := c.fails[q.Name]; ok {
			line("%s fails: %s\n\t%s:\n%s",
				q.Name, strings.ReplaceAll(f.message, "\n", "\n\t"), job.MinimalValue, f.value)
		}
	}
	for _, text := range c.dropped {
		line("%s", text)
	}
	if n := len(c.fails); n > 0 {
		line("%s: mend the code, or change the property",
			session.Count(n, "property fails", "properties fail"))
	}
	if c.unrun > 0 {
		line("%s left out, as the time is up: give more -time",
			session.Count(c.unrun, "property is", "properties are"))
	}
	if c.v {
		for _, l := range c.props.Left() {
			c.Warn(fmt.Sprintf("left out: %s: %s\n", l.Name, l.Why))
		}
	}
}
