package gotest

import (
	"errors"
	"flag"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Flags is a parsed command line of a command that takes the flags of `go test`. Use
// [Flags.Parse] first, then [Flags.AddGOFLAGS].
type Flags struct {
	Own      *flag.FlagSet // the flags of the command itself, which hide the flags of go test
	Runs     bool          // the command runs go test: it takes nearly all flags
	Build    []string      // flags for go list and go test -c, except -tags
	Compile  []string      // flags for go test -c alone
	Run      []string      // flags for go test when it runs tests
	Test     []string      // flags for the test binary, as -test.name=value
	Args     []string      // what comes after -args
	Packages []string
	Tags     []string            // the build tags that are in force
	goflags  map[string][]string // the build flags of GOFLAGS, by name
	set      map[string][]string // the flags on the command line, by name
}

// scope says who takes a flag of go test.
type scope int

const (
	build   scope = iota // all commands that build
	compile              // go test -c
	running              // go test when it runs tests
	test                 // the test binary
)

// A goFlag is a flag of go test.
type goFlag struct {
	scope scope
	check func(string) error // of the value; nil for a boolean
}

// goFlags are the flags of go test by name, but for those that make no sense while fuzzing.
var goFlags = map[string]goFlag{
	"a": {build, nil}, "asan": {build, nil}, "linkshared": {build, nil},
	"modcacherw": {build, nil}, "msan": {build, nil}, "race": {build, nil},
	"trimpath": {build, nil}, "work": {build, nil}, "x": {build, nil},
	"buildvcs": {build, nil},
	"asmflags": {build, text}, "buildmode": {build, text}, "compiler": {build, text},
	"gccgoflags": {build, text}, "gcflags": {build, text}, "installsuffix": {build, text},
	"ldflags": {build, text}, "mod": {build, text}, "modfile": {build, text},
	"pgo": {build, text}, "pkgdir": {build, text}, "tags": {build, text},
	"toolexec": {build, text},

	"vet": {compile, text},

	"artifacts": {test, nil}, "failfast": {test, nil}, "fullpath": {test, nil},
	"short": {test, nil}, "v": {test, nil},
	"count": {test, number}, "cpu": {test, text}, "fuzzminimizetime": {test, amountOrNone},
	"outputdir": {test, text}, "run": {test, text}, "shuffle": {test, text},
	"skip": {test, text}, "timeout": {test, period},
}

// runFlags are the other flags of go test, for a command that runs it.
var runFlags = map[string]goFlag{
	"p": {build, number},

	"exec": {running, text}, "json": {running, nil},

	"bench": {test, text}, "benchmem": {test, nil}, "benchtime": {test, text},
	"blockprofile": {test, text}, "blockprofilerate": {test, number}, "cpuprofile": {test, text},
	"list": {test, text}, "memprofile": {test, text}, "memprofilerate": {test, number},
	"mutexprofile": {test, text}, "mutexprofilefraction": {test, number}, "trace": {test, text},
	"parallel": {test, one},
}

// refused are flags of go test that a command that runs it does not take, and why. No command takes
// those of coverage.
var refused = map[string]string{
	"cover": covers, "covermode": covers, "coverpkg": covers, "coverprofile": covers,
	"fuzz": fuzzes, "fuzztime": fuzzes, "fuzzcachedir": fuzzes,
	"n":       "it compiles packages to find out what needs points: use -x",
	"overlay": "it has an overlay of its own: put the files in place of the others",
}

const (
	covers = "if the go command measures coverage, it changes the code that corpusgen edits or " +
		"measures: run go test as well"
	fuzzes = "use corpusgen fuzz, which explores the schedules of tests, too"
)

// refuses returns why the command does not take a flag of go test, or nil.
func (f *Flags) refuses(name string) error {
	if why, ok := refused[name]; ok && (f.Runs || why == covers) {
		return fmt.Errorf("-%s: corpusgen %s does not take it: %s", name, f.Own.Name(), why)
	}
	return nil
}

// shared are the flags of the command itself that mean in GOFLAGS what they
// mean on its command line.
var shared = []string{"fuzz", "fuzztime", "parallel"}

// shares reports whether a flag of the command itself means in GOFLAGS what it means on its command
// line.
func (f *Flags) shares(name string) bool {
	if own := f.Own.Lookup(name); own != nil && slices.Contains(shared, name) {
		_, isGo := own.Value.(*goValue)
		return !isGo
	}
	return false
}

func text(string) error { return nil }

// one accepts a number of tests that run at once.
func one(s string) error {
	if err := number(s); err != nil || s == "1" {
		return err
	}
	return errors.New("tests of a package run one after the other, since a schedule is about all " +
		"goroutines of a process: leave the flag out (-p is about packages that run at once)")
}

func number(s string) error {
	_, err := strconv.ParseInt(s, 0, 0)
	return err
}

func period(s string) error {
	_, err := time.ParseDuration(s)
	return err
}

func amount(s string) error { return new(Amount).Set(s) }

// amountOrNone also takes a time, or a number of executions, of 0.
func amountOrNone(s string) error {
	if d, err := time.ParseDuration(strings.TrimSuffix(s, "x")); err == nil && d == 0 {
		return nil
	}
	return amount(s)
}

// Parse parses args. Packages may stand before and after flags, and nothing else after --. The names of flags of go test may
// have the prefix that they have in a test binary. The error says what is wrong with the command
// line. It is [flag.ErrHelp] if the command line asks for help.
func (f *Flags) Parse(args []string) error {
	if i := slices.IndexFunc(args,
		func(arg string) bool { return arg == "-args" || arg == "--args" }); i >= 0 {
		args, f.Args = args[:i], args[i+1:]
	}
	f.define(goFlags)
	if f.Runs {
		f.define(runFlags)
	}
	args = slices.Clone(args)
	for i, arg := range args {
		args[i] = testPrefix.ReplaceAllString(arg, "-")
	}
	for {
		err := f.Own.Parse(args)
		if name, unknown := strings.CutPrefix(fmt.Sprint(err),
			"flag provided but not defined: "); unknown {
			if err := f.refuses(strings.TrimLeft(name, "-")); err != nil {
				return err
			}
			return fmt.Errorf("unknown flag %s: corpusgen %s does not take it%s (flags for the "+
				"tests themselves come after -args)", name, f.Own.Name(), f.likely(name))
		} else if err != nil {
			return err
		}
		rest := f.Own.Args()
		switch n := len(args) - len(rest); {
		case n > 0 && args[n-1] == "--":
			for _, arg := range rest {
				if strings.HasPrefix(arg, "-") {
					return fmt.Errorf("%s: only packages follow --: arguments for the tests come after "+
						"-args", arg)
				}
			}
			f.Packages = append(f.Packages, rest...)
			return nil
		case len(rest) == 0:
			return nil
		}
		f.Packages, args = append(f.Packages, rest[0]), rest[1:]
	}
}

// likely says which flag an unknown one is spelled like, if there is one.
func (f *Flags) likely(unknown string) string {
	var names []string
	f.Own.VisitAll(func(own *flag.Flag) { names = append(names, own.Name) })
	if near := Nearest(strings.TrimLeft(unknown, "-"), names); near != "" {
		return ": did you mean -" + near + "?"
	}
	return ""
}

// define defines flags of go test that the command does not hide.
func (f *Flags) define(flags map[string]goFlag) {
	for name, g := range flags {
		if f.Own.Lookup(name) == nil {
			f.Own.Var(&goValue{g, name, f}, name, "")
		}
	}
}

// testPrefix begins the flags of a test binary.
var testPrefix = regexp.MustCompile(`^--?test\.`)

// A goValue is a flag of go test as a flag of a command.
type goValue struct {
	goFlag
	name  string
	flags *Flags
}

func (v *goValue) String() string   { return "" }
func (v *goValue) IsBoolFlag() bool { return v.check == nil }

// Set stores a flag of the command line.
func (v *goValue) Set(value string) error {
	f := v.flags
	if err := v.valid(v.name, value); err != nil {
		return err
	}
	if f.set == nil {
		f.set = map[string][]string{}
	}
	f.set[v.name] = append(f.set[v.name], value)
	switch {
	case v.name == "tags":
		f.Tags = splitTags(value)
	case v.scope == build:
		f.Build = append(f.Build, "-"+v.name+"="+value)
	case v.scope == compile:
		f.Compile = append(f.Compile, "-"+v.name+"="+value)
	case v.scope == running:
		f.Run = append(f.Run, "-"+v.name+"="+value)
	case v.name == "outputdir":
		dir, err := filepath.Abs(value) // the test binary runs elsewhere
		if err != nil {
			return err
		}
		value = dir
		fallthrough
	default:
		f.Test = append(f.Test, "-test."+v.name+"="+value)
	}
	return nil
}

func (g goFlag) valid(name, value string) error {
	switch {
	case g.check != nil:
		return g.check(value)
	case name == "buildvcs" && value == "auto" || name == "v" && value == "test2json":
		return nil
	}
	_, err := strconv.ParseBool(value)
	return err
}

// neutral are build flags that change nothing of what a test does.
var neutral = []string{"a", "buildvcs", "modcacherw", "work", "x"}

// Again returns the flags of the command line that decide which tests there are, and what they do:
// for a command that runs one of them again. GOFLAGS is in force there, too.
func (f *Flags) Again() (flags []string) {
	for name, values := range f.set {
		value := "-" + name + "=" + values[len(values)-1]
		switch g := goFlags[name]; {
		case slices.Contains(neutral, name) || g.scope != build && name != "short":
		case g.check == nil:
			flags = append(flags, strings.TrimSuffix(value, "=true"))
		default:
			flags = append(flags, value)
		}
	}
	slices.Sort(flags)
	return flags
}

// TestsSet reports whether the command line has a flag of the test binary.
func (f *Flags) TestsSet() bool {
	for name := range f.set {
		if goFlags[name].scope == test {
			return true
		}
	}
	return false
}

// Given returns the flags of the command itself that have been set.
func (f *Flags) Given() map[string]bool {
	set := map[string]bool{}
	f.Own.Visit(func(f *flag.Flag) { set[f.Name] = true })
	return set
}

// AddGOFLAGS adds the flags of the environment variable, after [Flags.Parse]: flags of the
// command line have precedence. It leaves build flags other than -tags to the go command,
// which reads the variable itself.
func (f *Flags) AddGOFLAGS(goflags string) error {
	fields, err := splitQuoted(goflags)
	if err != nil {
		return fmt.Errorf("GOFLAGS: %w", err)
	}
	own := f.Given()
	f.goflags = map[string][]string{}
	var tests []string
	for _, field := range fields {
		if len(field) < 2 || field[0] != '-' {
			return fmt.Errorf("GOFLAGS: %q is not a flag", field)
		}
		name, value := nameAndValue(field)
		if err := f.refuses(name); err != nil {
			return fmt.Errorf("GOFLAGS: %w", err)
		}
		_, onLine := f.set[name]
		g, known := goFlags[name]
		switch {
		case f.shares(name) && own[name]:
			continue
		case f.shares(name):
			if err := f.Own.Set(name, value); err != nil {
				return fmt.Errorf("GOFLAGS: invalid value %q for flag -%s: %v", value, name, err)
			}
		case known && g.scope == test:
			tests = append(tests, "-test."+name+"="+value)
		case name == "tags" && !onLine:
			f.Tags = splitTags(value)
		default:
			f.goflags[name] = append(f.goflags[name], value)
		}
	}
	f.Test = append(tests, f.Test...)
	return nil
}

// nameAndValue splits a flag, without dashes and the prefix test. of its name.
func nameAndValue(field string) (name, value string) {
	field = strings.TrimPrefix(testPrefix.ReplaceAllString(field, "-")[1:], "-")
	name, value, ok := strings.Cut(field, "=")
	if !ok {
		return name, "true"
	}
	return name, value
}

// Lookup returns the value of a build flag on the command line or in GOFLAGS, the last one if there
// are several. It reports false if there is none.
func (f *Flags) Lookup(name string) (string, bool) {
	values := f.Values(name)
	if len(values) == 0 {
		return "", false
	}
	return values[len(values)-1], true
}

// Values returns all values of a build flag, those in GOFLAGS first.
func (f *Flags) Values(name string) []string { return slices.Concat(f.goflags[name], f.set[name]) }

// BuildFlags returns the flags with which packages are listed and built: those
// of the command line, and all tags, with more of them.
func (f *Flags) BuildFlags(tags ...string) []string {
	all := slices.Concat(f.Tags, tags)
	if len(all) == 0 {
		return f.Build
	}
	return append(slices.Clip(f.Build), "-tags="+strings.Join(all, ","))
}

// LinkFlags returns the flags with which test binaries are linked: without what only debuggers
// read, as go test links those that it does not keep. It returns nil if the user has link flags.
func (f *Flags) LinkFlags() []string {
	if _, ok := f.Lookup("ldflags"); ok {
		return nil
	}
	return []string{"-ldflags=-s -w"}
}

// splitTags reads a list of build tags, separated by commas or, as in old
// scripts, by spaces.
func splitTags(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == ' ' })
}

// splitQuoted splits the value of GOFLAGS as the go command does: at white space, except in
// a field that is within single or double quotes as a whole.
func splitQuoted(s string) ([]string, error) {
	var fields []string
	for s = strings.TrimLeft(s, " \t\r\n"); s != ""; s = strings.TrimLeft(s, " \t\r\n") {
		end, next := strings.IndexAny(s, " \t\r\n"), 0
		if quote := s[0]; quote == '"' || quote == '\'' {
			s = s[1:]
			if end = strings.IndexByte(s, quote); end < 0 {
				return nil, fmt.Errorf("unterminated %c", quote)
			}
			next = 1
		} else if end < 0 {
			end = len(s)
		}
		fields = append(fields, s[:end])
		s = s[end+next:]
	}
	return fields, nil
}
