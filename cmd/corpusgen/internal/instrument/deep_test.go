package instrument

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTooDeep(t *testing.T) {
	require.Equal(t, []string{"example.com/deep.v2", "mask"}, TooDeep("# example.com/user.test\n"+
		"example.com/deep%2ev2.mask[...]: nosplit stack over 792 byte limit\n"+
		"example.com/deep%2ev2.mask<1>\n    grows 720 bytes, calls runtime.libfuzzerTraceConstCmp4<1>\n"+
		"mask.(*T).f: nosplit stack over 792 byte limit\n"+
		"example.com/deep%2ev2.other: nosplit stack over 792 byte limit\n"+
		"runtime.f: nosplit stack over 792 byte limit\n"))
	require.Empty(t, TooDeep("x.go:3: nosplit stack\n"))
}
