package instrument

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

const espalier = "github.com/espalier-go/espalier/"

func TestFlags(t *testing.T) {
	rules := []Rule{{"work", true}, {"example.com/gen/...", false}}
	got := Flags(rules, "")
	require.Equal(t, []string{
		"-gcflags=work=-d=libfuzzer",
		"-gcflags=example.com/gen/...=",
		"-gcflags=context=",
	}, got[:3])
	require.Contains(t, got, "-gcflags=sync/atomic=")
	require.Contains(t, got, "-gcflags=internal/fuzz=")

	got = Flags(rules, "-N -l")
	require.Equal(t, []string{
		"-gcflags=work=-N -l -d=libfuzzer",
		"-gcflags=example.com/gen/...=-N -l",
		"-gcflags=context=-N -l",
	}, got[:3])
}

func TestDefault(t *testing.T) {
	rules := Default(espalier + "choices")
	require.Equal(t, Rule{"work", true}, rules[0])
	require.Contains(t, rules, Rule{espalier + "choices/...", false})
	require.Equal(t, Rule{espalier + "choices", true}, rules[len(rules)-1])
	require.False(t, inLibrary(espalier+"examples/bst"))
	require.False(t, inLibrary(espalier+"rlx"))
	require.True(t, inLibrary(espalier+"bigen/bigentest"))
}

func TestParse(t *testing.T) {
	outside := func(patterns ...string) []Rule { return ordered(patterns, nil) }
	t.Chdir("../../../..")
	tests := []struct {
		list string
		want []Rule
	}{
		{"./...", outside("./...")},
		{"./bigen/...,work", append(outside("work"), Rule{"./bigen/...", true})},
		{"./examples/bst/, strings", outside(espalier+"examples/bst", "strings")},
		{"encoding...", outside("encoding...")},
		{".//examples/../examples/...", outside("./examples/...")},
		{"all", outside("all")},
		{"std", outside("std")},
		{espalier + "...", outside(espalier + "...")},
		{"./bigen", append(outside(), Rule{espalier + "bigen", true})},
	}
	if !long.Enabled() {
		tests = tests[:3]
	}
	for _, tt := range tests {
		got, err := Parse(t.Context(), tt.list)
		require.NoError(t, err, tt.list)
		require.Equal(t, tt.want, got, tt.list)
	}

	for list, want := range map[string]string{
		"":                    `cannot instrument "": the pattern is empty`,
		"./bigen,,./rl":       `cannot instrument "": the pattern is empty`,
		"./nowhere":           "nowhere",
		"./nowhere/...":       "nowhere",
		"./internal/.../none": `cannot instrument "./internal/.../none": it matches no packages`,
		"example.com/none":    "example.com/none",
		"example.com/none...": "it matches no packages",
		"-v":                  "-v",
		"all=":                "no = in a pattern",
		"./doc.go":            "not a file",
		"/...":                "relative to the current directory",
	} {
		_, err := Parse(t.Context(), list)
		require.ErrorContains(t, err, want, list)
	}
}

// The rule for a package in an absolute directory has its import path.
func TestParseAbsolute(t *testing.T) {
	got, err := Parse(t.Context(), t.TempDir())
	require.Error(t, err, got)

	t.Chdir("../../../../examples/bst")
	dir, err := os.Getwd()
	require.NoError(t, err)
	got, err = Parse(t.Context(), dir)
	require.NoError(t, err)
	require.Equal(t, espalier+"examples/bst", got[0].Pattern)
}

func TestCheckMain(t *testing.T) {
	t.Chdir("../../../..")
	check := func(flag string, under ...string) error {
		p, err := List(t.Context(), under, flag)
		require.NoError(t, err)
		return p.CheckMain(t.Context())
	}
	require.NoError(t, check("-tags=x", espalier+"bigen", "example.com/nowhere"))
	err := check("-tags=x", espalier+"bigen", "github.com/stretchr/testify/assert")
	require.EqualError(t, err, "cannot fuzz github.com/stretchr/testify/assert: it is outside "+
		"the main module")
	err = check("-tags=x", "strings")
	require.EqualError(t, err, "cannot fuzz strings: it is outside the main module")

	goroot, err := gotest.Output(t.Context(), "env", "GOROOT")
	require.NoError(t, err)
	t.Chdir(filepath.Join(strings.TrimSpace(goroot), "src", "strings"))
	t.Setenv("GOFLAGS", "")
	require.NoError(t, check("-tags=x", "strings", "cmd/go"))
}

func TestFlagsForAll(t *testing.T) {
	for _, tt := range []struct {
		goflags   string
		args      []string
		want, err string
	}{
		{},
		{args: []string{"-race", "-run", "gcflags", "./..."}},
		{args: []string{"-gcflags="}},
		{args: []string{"-gcflags=all=-N -l"}, want: "-N -l"},
		{args: []string{"--gcflags", "all=-d=checkptr", "-v"}, want: "-d=checkptr"},
		{args: []string{"-gcflags=all=-N", ".", "-gcflags=all=-l"}, want: "-l"},
		{args: []string{".", "-args", "-gcflags=-m"}},
		{args: []string{"-gcflags=-m"}, err: "-gcflags='all=-m'"},
		{args: []string{"-gcflags=-d=checkptr"}, err: "-gcflags='all=-d=checkptr'"},
		{args: []string{"-gcflags=all=-N", "-gcflags", "./...=-m -m"}, err: "-gcflags='all=-m -m'"},
		{goflags: "-race  -gcflags=all=-N", want: "-N"},
		{goflags: "'-gcflags=all=-N -l' -race", want: "-N -l"},
		{goflags: `-race "-gcflags=all=-N -l"`, args: []string{"-gcflags=all=-N"}, want: "-N"},
		{goflags: "-gcflags=-m", err: "-gcflags='all=-m'"},
	} {
		flags := &gotest.Flags{Own: flag.NewFlagSet("fuzz", flag.ContinueOnError)}
		require.NoError(t, flags.Parse(tt.args))
		require.NoError(t, flags.AddGOFLAGS(tt.goflags))
		got, err := FlagsForAll(flags.Values("gcflags"))
		if tt.err != "" {
			require.ErrorContains(t, err, tt.err, tt)
			continue
		}
		require.NoError(t, err, tt)
		require.Equal(t, tt.want, got, tt)
	}
}
