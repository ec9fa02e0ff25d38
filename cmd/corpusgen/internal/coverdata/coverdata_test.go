package coverdata_test

import (
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/coverdata"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/espalier-go/espalier/internal/testing/toolchain"
)

const code = `package p

type T[V any] struct{ v V }

func (t *T[V]) Get() V { return t.v }

func F(n int) int {
	if n > 2 {
		return func() int { n++; return n }()
	}
	for range n {
		n += 2
	}
	return n
}

func never() { panic("never") }
`

const tests = `package p

import "testing"

func TestSmall(t *testing.T) { F(1) }
func TestLarge(t *testing.T) { F(5); (&T[int]{}).Get(); (&T[string]{}).Get() }
`

// run runs tests of a module with coverage, one process for each pattern, and returns the
// directory of the data.
func run(t *testing.T, env []string, patterns ...string) (module, data string) {
	module, data = t.TempDir(), t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/p\n\ngo 1.25\n", "p.go": code, "p_test.go": tests} {
		require.NoError(t, os.WriteFile(filepath.Join(module, name), []byte(text), 0o666))
	}
	binary := filepath.Join(data, "p.test")
	goCommand(t, module, env, "test", "-c", "-cover", "-covermode=count", "-o", binary, ".")
	for _, pattern := range patterns {
		cmd := exec.Command(binary, "-test.run="+pattern, "-test.gocoverdir="+data)
		cmd.Dir = module
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))
	}
	return module, data
}

func goCommand(t *testing.T, dir string, env []string, args ...string) {
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Env = dir, append(cmd.Environ(), env...)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
}

// The oracle is go tool covdata.
func TestRead(t *testing.T) {
	toolchains, err := toolchain.All()
	require.NoError(t, err)
	for i, tc := range toolchains {
		if i > 0 && !long.Enabled() {
			break
		}
		t.Run(tc.GOVERSION, func(t *testing.T) {
			module, data := run(t, tc.Env, "Small", "Large")
			meta, err := coverdata.ReadMeta(data)
			require.NoError(t, err)
			assert.Equal(t, "count", meta.Mode)
			counts, err := meta.Counts(data)
			require.NoError(t, err)
			p := coverdata.Profile{}
			p.Add(meta, counts)

			profile := filepath.Join(data, "profile")
			goCommand(t, module, tc.Env, "tool", "covdata", "textfmt", "-i="+data, "-o="+profile)
			text, err := os.ReadFile(profile)
			require.NoError(t, err)
			want := strings.Split(strings.TrimSpace(string(text)), "\n")[1:]
			for i, line := range want {
				if !strings.HasSuffix(line, " 0") {
					want[i] = line[:strings.LastIndexByte(line, ' ')] + " 1"
				}
			}
			got := strings.Split(strings.TrimSpace(string(p.Text())), "\n")
			assert.Equal(t, "mode: set", got[0])
			assert.ElementsMatch(t, want, got[1:])
			reached, all := p.Statements()
			assert.Equal(t, []int{8, 9}, []int{reached, all})
		})
	}
}

// No data make the reader panic, or take memory without bound.
func TestMalformed(t *testing.T) {
	if !long.Enabled() {
		t.Skip("builds a test binary")
	}
	_, data := run(t, nil, "Small")
	paths, err := filepath.Glob(filepath.Join(data, "cov*"))
	require.NoError(t, err)
	require.Len(t, paths, 2)
	read := func() error {
		meta, err := coverdata.ReadMeta(data)
		if err == nil {
			_, err = meta.Counts(data)
		}
		return err
	}
	require.NoError(t, read())
	for _, path := range paths {
		whole, err := os.ReadFile(path)
		require.NoError(t, err)
		try := func(b []byte) error {
			require.NoError(t, os.WriteFile(path, b, 0o666))
			return read()
		}
		for n := range len(whole) - 20 { // the footer of counters is not read
			assert.Error(t, try(whole[:n]), "%s cut at %d", path, n)
		}
		for at := range whole {
			changed := slices.Clone(whole)
			changed[at] ^= 0xff
			_ = try(changed)
		}
		changed := slices.Clone(whole)
		binary.LittleEndian.PutUint32(changed[4:], 2)
		assert.ErrorContains(t, try(changed), "version 2, where corpusgen reads version 1")
		require.NoError(t, try(whole))
	}
	_, err = coverdata.ReadMeta(t.TempDir())
	assert.ErrorIs(t, err, coverdata.ErrNone)
}
