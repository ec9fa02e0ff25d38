package proptest

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/apigen"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
	"github.com/espalier-go/espalier/internal/job"
	"github.com/espalier-go/espalier/internal/safefile"
)

// errorFile is the file for what fails, beside the file of the properties.
func errorFile(file string) string {
	return strings.TrimSuffix(file, "_test.go") + "_error_test.go"
}

// errorHead begins that.
const errorHead = "// What fails now: either the package has a bug, or the test is a wrong guess.\n" +
	"// Mend the code, or remove the test.\n\n"

// writeErrors writes plain tests of what fails, or removes those of an earlier run.
func (c *check) writeErrors() error {
	var tests []apigen.Func
	of := map[string]*apigen.Property{}
	for _, f := range c.fails {
		q := f.property
		of[q.Name] = q
		tests = append(tests, apigen.Func{
			Name: q.Name, Comment: q.Name + " fails: " + f.message + ".\nIt says: " + q.About,
			Code: q.Plain(strings.TrimSpace(f.value), f.calls),
		})
	}
	text, err := c.props.Errors(errorHead, tests, of)
	if err != nil {
		return err
	}
	if text == nil {
		if err := os.Remove(c.errors); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		c.errors = ""
		return nil
	}
	return safefile.Write(c.errors, []byte(session.Signed(apigen.Written, string(text))))
}

// maxLines is how many lines of a value the report shows.
const maxLines = 20

func shortened(value string) string {
	lines := strings.Split(value, "\n")
	if len(lines) > maxLines {
		lines = append(lines[:maxLines], "        ...")
	}
	return strings.Join(lines, "\n")
}

// report says what has been written, and what it has found.
func (c *check) report() {
	to := c.Text
	if c.print {
		to = os.Stderr
	}
	line := func(format string, args ...any) { c.Print(to, fmt.Sprintf(format+"\n", args...)) }
	rest := 0
	for _, q := range c.props.All {
		if q.Rest {
			rest = 1
		}
	}
	if n := len(c.props.All) - rest; n+rest > 0 {
		line("%s: %s in %s (%s left out)", c.pkg.Path,
			session.Count(n+rest, "property", "properties"), gotest.Short(c.file),
			session.Count(len(c.props.Left()), "function", "functions"))
	}
	if c.tried > 0 {
		line("they notice %d of %s that they reach", c.noticed,
			session.Count(c.tried, "small mistake", "small mistakes"))
	} else if c.why != "" {
		line("laws that types alone suggest are left out: no mistakes can be built in: %s",
			session.FirstLine(c.why))
	}
	for _, f := range c.fails {
		line("%s fails: %s\n\t%s:\n%s", f.property.Name, f.message, job.MinimalValue, shortened(f.value))
		if f.passes != "" {
			line("\tit passes with:\n%s", f.passes)
		}
	}
	for _, g := range grouped(c.dropped) {
		verb := "is"
		if len(g) > 1 {
			verb = "are"
		}
		line("%s %s dropped: %s", g.names(), verb, g[0].why)
	}
	for _, text := range c.doubtful() {
		line("doubtful: %s", text)
	}
	if n := len(c.fails); n > 0 {
		where := ""
		if c.errors != "" && !c.print {
			where = " in " + filepath.Base(c.errors)
		}
		line("%s%s: judge each: mend the code, or remove the test if nothing promises this",
			session.Count(n, "property fails", "properties fail"), where)
	}
	if c.unrun > 0 {
		line("%s left out, as the time is up: give more -time",
			session.Count(c.unrun, "property is", "properties are"))
	}
	if c.v {
		var left []remark
		for _, l := range c.props.Left() {
			left = append(left, remark{name: l.Name, why: l.Why})
		}
		for _, g := range grouped(left) {
			c.Warn(fmt.Sprintf("left out: %s: %s\n", g.names(), g[0].why))
		}
	}
}
