package rl_test

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/testing/require"
	"github.com/espalier-go/espalier/rl"
)

// sealed returns a policy with some content, from the features on, and the checksum.
func sealed(content ...byte) []byte {
	return seal(append([]byte("espalier policy\x00\x01"), content...))
}

func seal(b []byte) []byte { return binary.LittleEndian.AppendUint32(b, crc32.ChecksumIEEE(b)) }

const large = "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01" // 1<<64 - 1

func TestPolicyRefused(t *testing.T) {
	t.Parallel()
	good := learned(t, 200).Marshal()
	require.Greater(t, len(good), 1000)
	changed := func(i int) []byte {
		b := slices.Clone(good)
		b[i] ^= 4
		return b
	}
	const damaged = "the policy is damaged, its checksum is wrong: restore it, or learn and save it again"
	tests := []struct {
		name string
		data []byte
		err  string
	}{
		{"empty", nil, "no policy, it is empty"},
		{"text", []byte("hello"), "not a policy: it begins otherwise"},
		{"corpus", []byte("go test fuzz v1\n[]byte(\"\")\n"), "not a policy: it begins otherwise"},
		{"another magic", changed(3), "not a policy: it begins otherwise"},
		{"later version", seal(append([]byte("espalier policy\x00\x02"), good[17:]...)), "the policy has format version 2, and this version of Espalier reads none after 1: use the version that saved it, or learn and save it again"},
		{"later version, cut", []byte("espalier policy\x00\x07"), "the policy has format version 7, and this version of Espalier reads none after 1: use the version that saved it, or learn and save it again"},
		{"version 0", seal([]byte("espalier policy\x00\x00\x01\x00\x00")), damaged},
		{"other features", sealed(99, 0, 0), "the policy has features of version 99, and this version of Espalier learns those of version 1: learn and save it again"},
		{"magic cut", good[:5], damaged},
		{"only the magic", good[:16], damaged},
		{"cut", good[:len(good)-1], damaged},
		{"half", good[:len(good)/2], damaged},
		{"changed", changed(len(good) / 2), damaged},
		{"checksum changed", changed(len(good) - 1), damaged},
		{"longer", append(slices.Clone(good), 0), damaged},
		{"twice", append(slices.Clone(good), good...), damaged},
		{"huge", append(slices.Clone(good), make([]byte, 1<<20)...), "the policy is damaged, it has more than 262144 bytes: restore it, or learn and save it again"},
		{"no features", sealed(), "the policy is malformed: a number is cut or too large: learn and save it again"},
		{"features too large", sealed(bytes.Repeat([]byte{0xff}, 20)...), "the policy is malformed: a number is cut or too large: learn and save it again"},
		{"no rows", sealed(1, 0), "the policy is malformed: a number is cut or too large: learn and save it again"},
		{"more points than bytes", sealed(1, 5, 1, 1, 0), "the policy is malformed: 5 choice points: learn and save it again"},
		{"too many points", sealed([]byte("\x01" + large)...), "the policy is malformed: 18446744073709551615 choice points: learn and save it again"},
		{"points not distinct", sealed(1, 2, 1, 0, 0), "the policy is malformed: keys do not ascend: learn and save it again"},
		{"points beyond 64 bits", sealed([]byte("\x01\x02" + large + "\x01\x00")...), "the policy is malformed: keys do not ascend: learn and save it again"},
		{"more rows than bytes", sealed(1, 0, 2, 1, 1, 0, 0, 1), "the policy is malformed: 2 rows: learn and save it again"},
		{"rows not distinct", sealed(1, 0, 2, 1, 1, 0, 0, 0, 1, 0, 0), "the policy is malformed: keys do not ascend: learn and save it again"},
		{"a row without slots", sealed(1, 0, 1, 1, 0, 0, 0), "the policy is malformed: slots 0x0: learn and save it again"},
		{"slots beyond 16", sealed(1, 0, 1, 1, 0x80, 0x80, 0x04, 0, 0), "the policy is malformed: slots 0x10000: learn and save it again"},
		{"a row that is cut", sealed(1, 0, 1, 1, 3, 0, 0), "the policy is malformed: it is cut: learn and save it again"},
		{"a count too large", sealed(1, 0, 1, 1, 1, 0, 64), "the policy is malformed: a count of code 64: learn and save it again"},
		{"more than rows", sealed(1, 0, 1, 1, 1, 0, 0, 0), "the policy is malformed: 1 bytes too many: learn and save it again"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p, err := rl.ParsePolicy(test.data)
			require.Nil(t, p)
			require.EqualError(t, err, test.err)

			file := filepath.Join(t.TempDir(), "p")
			require.NoError(t, os.WriteFile(file, test.data, 0o666))
			_, err = rl.LoadPolicy(file)
			if test.name == "huge" {
				require.ErrorContains(t, err, file+" has ")
				require.ErrorContains(t, err, " bytes: at most 262144 are read")
				return
			}
			require.EqualError(t, err, "rl: "+file+": "+test.err)
		})
	}
	_, err := rl.ParsePolicy(sealed(1, 1, 9, 1, 1, 1, 0, 63))
	require.NoError(t, err)
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
		require.EqualError(t, p.Save(foreign), "rl: saving a policy: "+foreign+" exists and is not of this kind: remove it, or name another file")
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

// No bytes make a policy panic. With fix, the bytes get a correct checksum.
func FuzzPolicy(f *testing.F) {
	guide := newGuide()
	train(guide, 60)
	p, err := guide.Policy()
	require.NoError(f, err)
	good := p.Marshal()
	f.Add(good, false)
	f.Add(good[:len(good)-4], true)
	f.Add([]byte("espalier policy\x00\x01\x01\x01\x09\x01\x01\x01\x00\x3f"), true)
	f.Fuzz(func(t *testing.T, b []byte, fix bool) {
		if fix {
			b = seal(slices.Clone(b))
		}
		p, err := rl.ParsePolicy(b)
		if err != nil {
			return
		}
		saved := p.Marshal()
		require.LessOrEqual(t, len(saved), len(b))
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
