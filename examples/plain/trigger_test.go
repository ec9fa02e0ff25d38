package plain

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/espalier-go/espalier/examples/planted"
	"github.com/stretchr/testify/require"
)

// triggers are inputs, each of which fails with the bug and passes without it.
var triggers = []struct {
	bug   string
	check func(t *testing.T)
}{
	{"ladder", plan(decodedPlan("\x1a\x1f\x1b\x1c\x1a\x09\x1a\x11"))},
	{"ladder", plan(ParsePlan("sort 3 semijoin 3 distinct 3 filter 3 sort 3 scan 1 sort 3 scan 2"))},
	{"const-int",
		script(DecodeScript([]byte("\x05\x00\x05\x01\x01\x02\x55\x1e\xed\x5e\x00\x02\x06\x06")))},
	{"const-int", script(ParseScript("repeat 1\nrepeat 2\nset c 1592598101\nprint c\nend\nend"))},
	{"const-string", script(DecodeScript([]byte("\x05\x00\x05\x01\x03\x0ehalt-and-catch\x06\x06")))},
	{"const-string", script(ParseScript("repeat 1\nrepeat 2\nsay halt-and-catch\nend\nend"))},
}

func decodedPlan(s string) (*planted.Plan, bool) { return DecodePlan([]byte(s)), true }

func plan(p *planted.Plan, ok bool) func(*testing.T) {
	return func(t *testing.T) {
		require.True(t, ok)
		planted.CheckPlan(t, p)
	}
}

func script(s []planted.Command, ok bool) func(*testing.T) {
	return func(t *testing.T) {
		require.True(t, ok)
		planted.CheckScript(t, s)
	}
}

// TestTrigger runs the triggers of the bug that the environment names, or all of them.
func TestTrigger(t *testing.T) {
	bug := os.Getenv(planted.Env)
	for i, trigger := range triggers {
		if bug == "" || bug == trigger.bug {
			t.Run(fmt.Sprint(i), trigger.check)
		}
	}
}

func TestBugs(t *testing.T) {
	require.Empty(t, os.Getenv(planted.Env), "these tests need the package as it is without %s",
		planted.Env)
	for _, bug := range []string{"ladder", "const-int", "const-string"} {
		cmd := exec.Command(os.Args[0], "-test.run=^TestTrigger$")
		cmd.Env = append(os.Environ(), planted.Env+"="+bug)
		out, err := cmd.CombinedOutput()
		require.Error(t, err)
		require.Equal(t, 2, strings.Count(string(out), "    --- FAIL: TestTrigger/"), "%s:\n%s", bug, out)
	}
}

func TestInvalid(t *testing.T) {
	for _, s := range []string{
		"", "scan", "scan 8", "scan -1", "sort 1", "semijoin 1 scan 2", "scan 1 scan 1", "Scan 1",
		"reverse 1 scan 1",
	} {
		_, ok := ParsePlan(s)
		require.False(t, ok, "%q", s)
	}
	for _, s := range []string{
		"end", "print", "print e", "print a b", "set a", "set a x", "set a 2147483648", "say a b",
		"if a", "repeat 0\nend",
		"repeat 4\nend", "if a\nend end", "jump",
		strings.Repeat("if a\n", 4) + strings.Repeat("end\n", 4), strings.Repeat("say a\n", 101),
	} {
		_, ok := ParseScript(s)
		require.False(t, ok, "%q", s)
	}
	for _, s := range []string{
		"\x06", "\x07", "\x00", "\x00\x04", "\x01\x00\x00\x00\x00", "\x03\x01", "\x04\x00",
		"\x05\x03\x06",
		strings.Repeat("\x04\x00", 4) + strings.Repeat("\x06", 4), strings.Repeat("\x00\x00", 101),
	} {
		_, ok := DecodeScript([]byte(s))
		require.False(t, ok, "%q", s)
	}
}

func TestSeeds(t *testing.T) {
	for _, s := range PlanSeeds {
		p, ok := ParsePlan(s)
		plan(p, ok)(t)
	}
	for _, s := range ScriptSeeds {
		c, ok := ParseScript(s)
		script(c, ok)(t)
	}
}
