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

// A remark says something of a property, or of calls with some values.
type remark struct{ of, says string }

// few is of how many calls or properties a line says the same.
const few = 3

// told returns a sentence for each thing that remarks say, which names so many that it is said of.
func told(remarks []remark, most int, is, are string) (all []string) {
	of := map[string][]string{}
	var said []string
	for _, r := range remarks {
		if of[r.says] == nil {
			said = append(said, r.says)
		}
		of[r.says] = append(of[r.says], r.of)
	}
	for _, says := range said {
		switch who := of[says]; {
		case len(who) == 1:
			all = append(all, who[0]+is+says)
		case len(who) <= most:
			all = append(all, strings.Join(who, "; ")+are+says)
		default:
			all = append(all, fmt.Sprintf("%s; and %d more%s%s", strings.Join(who[:most], "; "),
				len(who)-most, are, says))
		}
	}
	return all
}

// brevity returns the beginning of a long line.
func brevity(s string) string {
	const most = 200 // bytes
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "..."
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
	for _, text := range told(c.dropped, few, " is dropped: ", " are dropped: ") {
		line("%s", text)
	}
	for _, text := range told(c.doubts, few, ": ", ": ") {
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
			left = append(left, remark{l.Name, l.Why})
		}
		for _, text := range told(left, len(left), ": ", ": ") {
			c.Warn("left out: " + text + "\n")
		}
	}
}
