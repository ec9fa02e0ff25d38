package rl_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/rl"
	"github.com/stretchr/testify/require"
)

func TestPolicyRefused(t *testing.T) {
	t.Parallel()
	good := string(learned(t, 200).Marshal())
	require.Greater(t, len(good), 1000)
	const (
		damaged   = "the policy is damaged, "
		malformed = "the policy is malformed: "
		remedy    = ": learn and save it again"
		head      = `{"format":"espalier policy","version":2,"features":1`
	)
	tests := []struct{ name, data, err string }{
		{"empty", "", "no policy, it is empty"},
		{"text", "hello", `not a policy, whose format is "espalier policy"`},
		{"corpus", "go test fuzz v1\n[]byte(\"\")\n", `not a policy, whose format is "espalier policy"`},
		{"a model", `{"format":"espalier model","version":2}`,
			`not a policy, whose format is "espalier policy"`},
		{"version 1", "espalier policy\x00\x01\x01\x00\x00",
			"the policy is of an earlier version of Espalier: remove it, then learn and save it again"},
		{"an earlier version", head[:len(head)-len(`,"features":1`)-1] + `1,"features":1}`,
			"the policy has format version 1, which is none: restore it, or learn and save it again"},
		{"later version", strings.Replace(good, `"version":2`, `"version":3`, 1),
			"the policy has format version 3, and this version of Espalier reads none after 2: " +
				"use the version that saved it, or learn and save it again"},
		{"other features", strings.Replace(good, `"features":1`, `"features":99`, 1),
			"the policy has features of version 99, and this version of Espalier learns version " +
				"1: learn and save it again"},
		{"cut", good[:len(good)-2], damaged},
		{"half", good[:len(good)/2], damaged},
		{"longer", good + "0", damaged},
		{"twice", good + good, damaged},
		{"a text for a number", head + `,"points":["x"]}`, damaged},
		{"a key beyond 64 bits", head + `,"rows":[{"key":18446744073709551616}]}`, damaged},
		{"points not distinct", head + `,"points":[7,7]}`,
			malformed + "choice points do not ascend" + remedy},
		{"rows not distinct",
			head +
				`,"rows":[{"key":1,"slots":[0],"theta":[0.5],"n":[1]},{"key":1,"slots":[0],"theta":[0.5],"n":[1]}]}`, malformed + "keys do not ascend" + remedy},
		{"a row without slots", head + `,"rows":[{"key":1}]}`,
			malformed + "a row of 0 slots, 0 probabilities, 0 counts" + remedy},
		{"too few numbers", head + `,"rows":[{"key":1,"slots":[0,1],"theta":[0.5],"n":[1,1]}]}`,
			malformed + "a row of 2 slots, 1 probabilities, 2 counts" + remedy},
		{"slots beyond 16", head + `,"rows":[{"key":1,"slots":[16],"theta":[0.5],"n":[1]}]}`,
			malformed + "slot 16 with probability 0.5, count 1" + remedy},
		{"no slot", head + `,"rows":[{"key":1,"slots":[-1],"theta":[0.5],"n":[1]}]}`,
			malformed + "slot -1 with probability 0.5, count 1" + remedy},
		{"no probability", head + `,"rows":[{"key":1,"slots":[0],"theta":[1.5],"n":[1]}]}`,
			malformed + "slot 0 with probability 1.5, count 1" + remedy},
		{"a count too large", head + `,"rows":[{"key":1,"slots":[0],"theta":[1],"n":[1e9]}]}`,
			malformed + "slot 0 with probability 1, count 1e+09" + remedy},
		{"too many points", head + `,"points":[0` + ascending(1<<13) + `]}`,
			malformed + "8193 choice points, 0 rows" + remedy},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p, err := rl.ParsePolicy([]byte(test.data))
			require.Nil(t, p)
			require.True(t, strings.HasPrefix(err.Error(), test.err), "%v", err)
			require.True(t, test.err != damaged ||
				strings.HasSuffix(err.Error(), ": restore it, or learn and save it again"), "%v", err)
			require.True(t, test.err == damaged || err.Error() == test.err, "%v", err)

			file := filepath.Join(t.TempDir(), "p")
			require.NoError(t, os.WriteFile(file, []byte(test.data), 0o666))
			_, loadErr := rl.LoadPolicy(file)
			require.EqualError(t, loadErr, "rl: "+file+": "+err.Error())
		})
	}
	_, err := rl.ParsePolicy([]byte(head +
		`,"points":[9],"rows":[{"key":1,"slots":[0,15],"theta":[0,1],"n":[1,2000]}]}`))
	require.NoError(t, err)
	var indented bytes.Buffer // by an editor
	require.NoError(t, json.Indent(&indented, []byte(good), "", "  "))
	_, err = rl.ParsePolicy(indented.Bytes())
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "p")
	require.NoError(t, os.WriteFile(file, []byte(head), 0o666))
	require.NoError(t, os.Truncate(file, 1<<22+1))
	_, err = rl.LoadPolicy(file)
	require.ErrorContains(t, err, " bytes: at most 4194304 are read")
}

// ascending returns the numbers 1 to n, each after a comma.
func ascending(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, ",%d", i+1)
	}
	return b.String()
}

func TestLoadNoFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	_, err := rl.LoadPolicy(filepath.Join(dir, "none"))
	require.ErrorIs(t, err, os.ErrNotExist)
	require.ErrorContains(t, err, filepath.Join(dir, "none"))
	_, err = rl.LoadPolicy(dir)
	require.ErrorContains(t, err, dir)
}

func TestSavePolicy(t *testing.T) {
	t.Parallel()
	p, q := learned(t, 100), learned(t, 200)
	root := t.TempDir()
	file := filepath.Join(root, "a", "b", "p")
	for _, p := range []*rl.Policy{p, q, p} {
		require.NoError(t, p.Save(file))
		got, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, p.Marshal(), got)
	}
	require.NoError(t, os.WriteFile(file, p.Marshal()[:30], 0o666))
	require.NoError(t, p.Save(file), "a damaged policy")

	foreign := filepath.Join(root, "a", "notes.txt")
	for _, text := range []string{"espalier", "notes"} {
		require.NoError(t, os.WriteFile(foreign, []byte(text), 0o666))
		require.EqualError(t, p.Save(foreign),
			"rl: saving a policy: "+foreign+
				" exists and is not of this kind: remove it, or name another file")
		got, err := os.ReadFile(foreign)
		require.NoError(t, err)
		require.Equal(t, text, string(got))
	}
	require.Error(t, p.Save(filepath.Join(root, "a")), "a directory")
	require.ErrorContains(t, p.Save(filepath.Join(foreign, "p")), foreign)
	files, err := filepath.Glob(filepath.Join(root, "*", "*"))
	require.NoError(t, err)
	hidden, err := filepath.Glob(filepath.Join(root, "*", "*", ".*"))
	require.NoError(t, err)
	require.Len(t, append(files, hidden...), 2, "and no temporary file")
}

// A policy of any bytes does not panic.
func FuzzPolicy(f *testing.F) {
	guide := newGuide()
	train(guide, 60)
	p, err := guide.Policy()
	require.NoError(f, err)
	good := p.Marshal()
	f.Add(good)
	f.Add(good[:len(good)-4])
	f.Add(
		[]byte(
			`{"format":"espalier policy","version":2,"features":1,"points":[9],"rows":[{"key":1,"slots":[0],"theta":[0],"n":[2000]}]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		p, err := rl.ParsePolicy(b)
		if err != nil {
			return
		}
		saved := p.Marshal()
		q, err := rl.ParsePolicy(saved)
		require.NoError(t, err)
		require.Equal(t, saved, q.Marshal())
		_, tree := decode(t, []byte("some bytes"), p.Prior())
		_, again, err := bigen.Run(genEntry, choices.FromBytes(choices.Encode(tree)))
		require.NoError(t, err)
		require.Equal(t, tree, again)
		guide := newGuide(rl.FromPolicy(p))
		train(guide, 3)
		_, err = guide.Policy()
		require.NoError(t, err)
	})
}
