package gotest

import (
	"flag"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// own returns the flags of a command that takes the flags of go test as well.
func own() *flag.FlagSet {
	set := flag.NewFlagSet("fuzz", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	set.String("fuzz", ".", "")
	set.Int("p", 1, "")
	set.Int("parallel", 0, "")
	set.Bool("keepgoing", false, "")
	return set
}

func TestFlags(t *testing.T) {
	out, err := filepath.Abs("out")
	require.NoError(t, err)
	for name, test := range map[string]struct {
		args    []string
		goflags string
		want    Flags
	}{
		"nothing": {},
		"all scopes": {
			args: []string{"-race", "-mod=vendor", "-vet=off", "-run", "X", "-v", "-fuzz", "F",
				"./a", "./b"},
			want: Flags{
				Build: []string{"-race=true", "-mod=vendor"}, Compile: []string{"-vet=off"},
				Test: []string{"-test.run=X", "-test.v=true"}, Packages: []string{"./a", "./b"},
			},
		},
		"forms": {args: []string{"--run=X=Y", "-short=false", "-test.count=2"},
			want: Flags{Test: []string{"-test.run=X=Y", "-test.short=false", "-test.count=2"}}},
		"flags after": {args: []string{"./a", "-timeout", "1m"},
			want: Flags{Packages: []string{"./a"}, Test: []string{"-test.timeout=1m"}}},
		"args": {args: []string{".", "-args", "-v", "--", "x"},
			want: Flags{Packages: []string{"."}, Args: []string{"-v", "--", "x"}}},
		"only packages": {args: []string{"-v", "a", "--", "b", "c"},
			want: Flags{Packages: []string{"a", "b", "c"}, Test: []string{"-test.v=true"}}},
		"absolute": {args: []string{"-outputdir=out"},
			want: Flags{Test: []string{"-test.outputdir=" + out}}},
		"tags":       {args: []string{"-tags=a,b"}, want: Flags{Tags: []string{"a", "b"}}},
		"tags twice": {args: []string{"-tags=a", "-tags", "b"}, want: Flags{Tags: []string{"b"}}},
		"GOFLAGS": {goflags: "-tags=a,b -mod=mod -short -unknown=1",
			want: Flags{Tags: []string{"a", "b"}, Test: []string{"-test.short=true"}}},
		"GOFLAGS first": {args: []string{"-timeout=1m"}, goflags: "-timeout=2m",
			want: Flags{Test: []string{"-test.timeout=2m", "-test.timeout=1m"}}},
		"GOFLAGS tags": {args: []string{"-tags=b"}, goflags: "-tags=a",
			want: Flags{Tags: []string{"b"}}},
		"GOFLAGS quoted": {goflags: ` '-run=a b'  "-skip=c d" `,
			want: Flags{Test: []string{"-test.run=a b", "-test.skip=c d"}}},
		"GOFLAGS own flag": {goflags: "-p=7 -keepgoing"},
	} {
		t.Run(name, func(t *testing.T) {
			f := &Flags{Own: own()}
			require.NoError(t, f.Parse(test.args))
			require.NoError(t, f.AddGOFLAGS(test.goflags))
			test.want.Own, test.want.set, test.want.goflags = f.Own, f.set, f.goflags
			require.Equal(t, &test.want, f)
		})
	}
}

func TestFlagsWrong(t *testing.T) {
	for _, test := range []struct{ arg, message string }{
		{"-nonsense", "unknown flag -nonsense: "},
		{"-nonsense=1", "unknown flag -nonsense: "},
		{"-c", "unknown flag -c: corpusgen fuzz does not take it "},
		{"-cpuprofile=x", "unknown flag -cpuprofile: "},
		{"-run", "flag needs an argument: -run"},
		{"-count=many", `invalid value "many" for flag -count`},
		{"-timeout=1", `invalid value "1" for flag -timeout`},
		{"-race=perhaps", `invalid boolean value "perhaps" for -race`},
		{"-p=x", `invalid value "x" for flag -p: `},
		{". -- -v", "-v: only packages follow --: arguments for the tests come after -args"},
		{"-help", flag.ErrHelp.Error()},
	} {
		f := &Flags{Own: own()}
		require.ErrorContains(t, f.Parse(strings.Fields(test.arg)), test.message)
	}
	for _, goflags := range []string{"'-run=x", "run", "-fuzz=x -parallel=y"} {
		require.ErrorContains(t, (&Flags{Own: own()}).AddGOFLAGS(goflags), "GOFLAGS: ")
	}
}

// The command line takes precedence over GOFLAGS.
func TestFlagsLookup(t *testing.T) {
	f := &Flags{Own: own()}
	require.NoError(t, f.Parse([]string{"-toolexec=a", "-fuzz=line", "-tags=x"}))
	require.NoError(t, f.AddGOFLAGS("-toolexec=b -overlay=o.json -fuzz=variable -parallel=3"))
	for name, want := range map[string]string{"toolexec": "a", "overlay": "o.json", "tags": "x"} {
		value, ok := f.Lookup(name)
		require.True(t, ok, name)
		require.Equal(t, want, value)
	}
	_, ok := f.Lookup("race")
	require.False(t, ok)
	require.Equal(t, "line", f.Own.Lookup("fuzz").Value.String())
	require.Equal(t, "3", f.Own.Lookup("parallel").Value.String())
	require.Equal(t, []string{"-toolexec=a", "-tags=x,more"}, f.BuildFlags("more"))
	require.Equal(t, []string{"-toolexec=a", "-tags=x"}, f.BuildFlags())

	require.Equal(t, []string{"-ldflags=-s -w"}, f.LinkFlags())
	require.NoError(t, f.AddGOFLAGS("-ldflags=-X=main.v=1"))
	require.Empty(t, f.LinkFlags())
}

// A command that runs go test takes its flags, or says why not, and what to do.
func TestFlagsRuns(t *testing.T) {
	f := func() *Flags {
		return &Flags{Own: flag.NewFlagSet("test", flag.ContinueOnError), Runs: true}
	}
	flags := f()
	flags.Own.SetOutput(io.Discard)
	require.NoError(t, flags.Parse([]string{"-json", "-p=3", "-exec", "env", "-list=X", "-bench=.",
		"-benchtime=1x", "-parallel=1", "-cpu=1,2", "-shuffle=on", "-trace=x"}))
	require.NoError(t, flags.AddGOFLAGS("-parallel=8 -json -p=2"))
	require.Equal(t, []string{"-p=3"}, flags.Build)
	require.Equal(t, []string{"-json=true", "-exec=env"}, flags.Run)
	require.Equal(t, []string{"-test.list=X", "-test.bench=.", "-test.benchtime=1x",
		"-test.parallel=1", "-test.cpu=1,2", "-test.shuffle=on", "-test.trace=x"}, flags.Test)

	for arg, message := range map[string]string{
		"-parallel=2":     `invalid value "2" for flag -parallel: tests of a package run one after`,
		"-cover":          "-cover: corpusgen test does not take it: if the go command measures",
		"-coverprofile=x": "run go test as well",
		"-fuzz=F":         "-fuzz: corpusgen test does not take it: use corpusgen fuzz",
		"-overlay=x":      "put the files in place of the others",
		"-n":              "use -x",
		"-nonsense":       "unknown flag -nonsense: corpusgen test does not take it (",
	} {
		flags := f()
		flags.Own.SetOutput(io.Discard)
		require.ErrorContains(t, flags.Parse([]string{arg}), message)
	}
	require.ErrorContains(t, f().AddGOFLAGS("-overlay=x"), "GOFLAGS: -overlay")
	require.NoError(t, (&Flags{Own: own()}).AddGOFLAGS("-overlay=x"))
}

// No command measures coverage by flags of go test, also not by those in GOFLAGS. Some have flags of
// their own of these names.
func TestFlagsCoverage(t *testing.T) {
	for _, runs := range []bool{false, true} {
		f := func() *Flags { return &Flags{Own: own(), Runs: runs} }
		for _, arg := range []string{"-cover", "-covermode=set", "-coverpkg=./...", "-coverprofile=x"} {
			name, _, _ := strings.Cut(arg, "=")
			want := name + ": corpusgen " + f().Own.Name() + " does not take it: "
			require.ErrorContains(t, f().Parse([]string{arg}), want)
			require.ErrorContains(t, f().AddGOFLAGS("-v "+arg), "GOFLAGS: "+want)
		}
	}
	f := &Flags{Own: own()}
	f.Own.String("coverpkg", "", "")
	require.NoError(t, f.Parse([]string{"-coverpkg=./..."}))
	require.ErrorContains(t, f.AddGOFLAGS("-coverpkg=./..."), "GOFLAGS: -coverpkg: ")
}

func TestAmount(t *testing.T) {
	for _, s := range []string{"30s", "1000x", "1h0m0s", "1.5s"} {
		var a Amount
		require.NoError(t, a.Set(s))
		require.Equal(t, s, a.String())
		require.False(t, a.IsZero())
	}
	for _, s := range []string{"", "x", "0x", "-1x", "1.5x", "0s", "-1s", "10",
		"99999999999999999999x"} {
		require.Error(t, new(Amount).Set(s), s)
	}
}
