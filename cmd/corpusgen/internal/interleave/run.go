// Package interleave runs tests that explore schedules: it has the go command compile packages with
// points, calls of bigen/schedule/point, where goroutines can be stopped.
package interleave

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/diagram"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/instrument"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/loader"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
	"github.com/espalier-go/espalier/internal/job"
	"github.com/espalier-go/espalier/internal/shell"
)

// Run runs corpusgen test.
func Run(ctx context.Context, args []string) error {
	var own []string // flags of fuzzext
	args = slices.DeleteFunc(args, func(arg string) bool {
		is := strings.HasPrefix(strings.TrimPrefix(arg, "-"), "-fuzzext.") ||
			strings.HasPrefix(arg, "-fuzzext.")
		if is {
			own = append(own, arg)
		}
		return is
	})
	flags := &gotest.Flags{Own: session.NewFlagSet("test"), Runs: true}
	var with Options
	flags.Own.StringVar(&with.Instrument, "instrument", "", "")
	flags.Own.BoolVar(&with.Overflow, "overflow", false, "")
	dir := flags.Own.String("C", "", "")
	compiles, output := flags.Own.Bool("c", false, ""), flags.Own.String("o", "", "")
	if err := session.Parse(flags, args); err != nil {
		return err
	}
	env, err := session.Settle(ctx, flags, *dir)
	if err != nil {
		return err
	}
	patterns := flags.Packages
	if len(patterns) == 0 {
		patterns = []string{"."}
	}
	goTmp := os.Getenv("GOTMPDIR")
	_, tmp, err := session.TempDir()
	if err != nil {
		return err
	}
	defer tmp.Remove()
	draws, told := !*compiles && diagram.Is(*output), filepath.Join(tmp.Path, "schedules")
	if draws {
		if err := cmp.Or(diagram.Replaceable(*output), os.Setenv(job.Schedules, told)); err != nil {
			return err
		}
	}
	build := buildFlags(flags)
	with.Verbose = slices.Contains(flags.Test, "-test.v=true")
	points, err := Overlay(ctx, tmp.Path, "", with, patterns, build)
	if err != nil {
		return err
	}
	more := points.Flags
	if err := os.Setenv(job.Flags, printed(flags, with)); err != nil {
		return err
	}
	if *compiles {
		more = append(more, "-c")
	}
	if *output != "" && !draws {
		more = append(more, "-o="+*output)
	}
	command := slices.Concat([]string{"test", "-overlay=" + points.List, "-vet=off", "-parallel=1"}, build,
		more, flags.Compile, flags.Run, flags.Test, patterns, own)
	if len(flags.Args) > 0 {
		command = append(append(command, "-args"), flags.Args...)
	}
	if work, _ := flags.Lookup("work"); work == "true" { // its directory remains
		_ = os.Setenv("GOTMPDIR", goTmp)
	}
	fewer := filepath.Join(tmp.Path, "few")
	out := &escapes{out: &few{out: os.Stdout, told: fewer},
		goroot: filepath.ToSlash(env.GOROOT) + "/src/"}
	if err := os.Setenv(job.FewSchedules, fewer); err != nil {
		return err
	}
	err = gotest.Show(ctx, out, command...)
	points.ShowRest()
	fmt.Fprint(os.Stderr, out.advice())
	if draws && ctx.Err() == nil {
		if failed := draw(*output, told, err == nil); failed != nil {
			return failed
		}
	}
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return session.ErrReported // the tests that fail have said so
	}
	return err
}

// printed returns the flags that decide about points, for the commands that tests print.
func printed(flags *gotest.Flags, with Options) string {
	var list []string
	if len(flags.Tags) > 0 {
		list = append(list, "-tags "+shell.Quote(strings.Join(flags.Tags, ",")))
	}
	if with.Instrument != "" {
		list = append(list, "-instrument "+shell.Quote(with.Instrument))
	}
	return strings.Join(list, " ")
}

// turnsTag is the build tag with which package point can give turns although a goroutine keeps one.
const turnsTag = "espalier_turns"

// buildFlags returns the flags with which packages are listed and compiled. Package point refers to
// names of package runtime that the linker allows the standard library alone.
func buildFlags(flags *gotest.Flags) []string {
	linker := ""
	if values := flags.Values("ldflags"); len(values) > 0 {
		linker = values[len(values)-1]
	}
	if compiler, _ := flags.Lookup("compiler"); compiler == "gccgo" ||
		linker != "" && !strings.HasPrefix(linker, "-") { // they are for some packages only
		return flags.BuildFlags()
	}
	linker = strings.TrimSpace(linker + " -checklinkname=0")
	return append(flags.BuildFlags(turnsTag), "-ldflags="+linker)
}

// draw draws the failures that tests have told. If they have told of none, they must have passed.
func draw(output, told string, passed bool) error {
	failures, err := job.ReadSchedules(told)
	if err == nil && len(failures) == 0 && !passed {
		return fmt.Errorf("%s is not written: tests fail, but not because of a schedule", output)
	}
	return cmp.Or(err, diagram.Write(output, failures))
}

// raceOptions returns the value of GORACE that makes the race detector write to logs in a
// directory, where runs with schedules find their data races: each run all of its own.
func raceOptions(dir string) string {
	return os.Getenv("GORACE") + " suppress_equal_stacks=0 log_path='" +
		filepath.Join(dir, "race") + "'"
}

// Points are what [Overlay] has written.
type Points struct {
	List   string   // the file that lists the overlay
	Flags  []string // of builds with it
	dir    string
	stalls *stalls
}

// ShowRest shows, once the tests have ended, what they have written and nothing has shown yet: where
// goroutines wait, and data races in logs of the race detector that are not of runs with schedules,
// which report their own. Each pair of stacks is shown once.
func (p *Points) ShowRest() {
	p.stalls.end()
	logs, _ := filepath.Glob(filepath.Join(p.dir, "race.*"))
	shown := map[string]bool{}
	for _, log := range logs {
		text, _ := os.ReadFile(log)
		for report := range strings.SplitSeq(strings.ReplaceAll(string(text), "\x00", ""),
			"==================\n") {
			stacks := ""
			for line := range strings.Lines(report) {
				if strings.HasPrefix(line, " ") {
					stacks += line
				}
			}
			if report != "" && !shown[stacks] {
				shown[stacks] = true
				fmt.Fprint(os.Stderr, report)
			}
		}
	}
}

// Options say what [Overlay] does with packages.
type Options struct {
	Instrument string // patterns of more packages than those of the main module
	NoPoints   bool   // no tests explore schedules
	Overflow   bool   // operations that lose bits fail
	Verbose    bool   // list what is not checked for overflow
}

// Overlay writes to a directory an overlay with which the packages have points whose tests match
// the patterns, and those that are chosen besides, and adds it to one that there is, or "". Test
// binaries write to files in the directory: call [Points.ShowRest] in the end.
func Overlay(
	ctx context.Context, dir, other string, with Options, patterns, build []string,
) (*Points, error) {
	p, err := readPackages(ctx, with, patterns, build)
	if err != nil {
		return nil, err
	}
	points := &Points{dir: dir}
	if points.List, err = p.write(dir, other); err == nil && len(p.copies) > 0 {
		points.Flags, err = p.replaceModules(ctx, dir, build)
	}
	for _, note := range p.notes {
		fmt.Fprintln(os.Stderr, "corpusgen:", note)
	}
	if p.checks != nil && err == nil {
		p.checks.say(os.Stderr, with.Verbose)
		_ = os.Setenv(job.Overflow, "1") // for the commands that tests print
	}
	told := filepath.Join(dir, "stalls")
	err = cmp.Or(err, os.Setenv("GORACE", raceOptions(dir)), os.Setenv(stallFile, told))
	if err == nil {
		points.stalls = followStalls(told, os.Stderr)
	}
	return points, err
}

// readPackages reads the packages that get points.
func readPackages(
	ctx context.Context, with Options, patterns, flags []string,
) (*program, error) {
	found, err := gotest.List(ctx, patterns, flags...)
	if err != nil {
		return nil, err
	}
	var under []string
	for _, pkg := range found {
		if pkg.Err != nil {
			return nil, fmt.Errorf("%s: %w", pkg.Path, pkg.Err)
		}
		under = append(under, pkg.Path)
	}
	pkgs, err := instrument.List(ctx, under, flags...)
	if err != nil {
		return nil, err
	}
	rules := instrument.Default(under...)
	if with.Instrument != "" {
		more, err := instrument.Parse(ctx, with.Instrument, flags...)
		if err != nil {
			return nil, session.Usagef("%v", err)
		}
		rules = append(rules, more...)
	}
	followed, others := pkgs.Followed(rules)
	return load(ctx, with, followed, others, under, flags)
}

// write writes an overlay of the edited files to a directory, and returns its list, which has
// what another one lists.
func (p *program) write(dir, other string) (list string, err error) {
	if p.points {
		p.findShared()
	}
	replace := map[string]string{}
	if p.checks != nil {
		if err := p.checks.write(dir, replace); err != nil {
			return "", err
		}
	}
	for _, u := range p.units {
		var texts map[*loader.File][]byte
		if p.points {
			texts = p.rewritten(u)
		}
		if p.checks != nil && u.own {
			if texts, err = p.checked(u, texts); err != nil {
				return "", err
			}
		}
		for i, f := range u.files {
			text, ok := texts[&u.files[i]]
			if !ok {
				continue
			}
			name := p.fset.PositionFor(f.Syntax.Pos(), false).Filename
			if p.embedded[name] {
				p.notes = append(p.notes, name+" has no points, since a package embeds it")
				continue
			}
			// The directory may be in the module: patterns ignore files that begin with _.
			path := filepath.Join(dir, "_"+strconv.Itoa(len(replace))+".go")
			if u.cached != nil {
				if path, err = p.inCopy(dir, u.cached, name); err != nil {
					return "", err
				}
			} else {
				replace[name] = path
			}
			if err := os.WriteFile(path, text, 0o666); err != nil {
				return "", err
			}
		}
	}
	list = filepath.Join(dir, "overlay.json")
	return list, gotest.WriteOverlay(list, other, replace)
}
