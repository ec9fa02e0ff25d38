package fuzzext

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSelection(t *testing.T) {
	for _, test := range []struct {
		run, test string
		level     int
		want      bool
	}{
		{"", "TestA", 1, false},
		{"TestA", "TestA", 1, false},
		{"TestA/", "TestA", 1, false},
		{"TestA/x", "TestA", 1, true},
		{"^TestA$/^x$", "TestA", 1, true},
		{`^\QTestA\E$/^\Qx\E$`, "TestA", 1, true},
		{"TestA/x", "TestA/x", 2, false},
		{"TestA/x y/z", "TestA/x_y", 2, true},
		{"/x", "TestA", 1, true},
		{"TestA|TestB/x", "TestA", 1, false},
		{"TestA|TestB/x", "TestB", 1, true},
		{"TestA|TestA/x", "TestA", 1, false},
		{"Test(A|B/x)", "TestA", 1, false},
		{"Test[A/]", "TestA", 1, false},
		{`Test\/x|TestA`, "TestA", 1, false},
		{"FuzzA/x", "FuzzA/x", 1, true},
		{"FuzzA", "FuzzA/x", 1, false},
		{"FuzzA/y|FuzzA", "FuzzA/x", 1, false},
	} {
		require.Equal(t, test.want, selectsPart(test.run, test.test, test.level), "%s of %s",
			test.run, test.test)
	}
	require.True(t, selectsSubtests("TestA/x", "TestA"))
	require.False(t, selectsSubtests("TestA/x", "TestA/x"))
	require.True(t, selectsEntry("FuzzA/x", "FuzzA/x"))
	require.False(t, selectsEntry("FuzzA/seed", "FuzzA/seed#0"))
	require.False(t, selectsEntry("TestA/x", "TestA/x"))
	require.True(t, selectsSeeds("FuzzA", "FuzzA", 9))
	require.True(t, selectsSeeds("FuzzA/seed#8$", "FuzzA", 9))
	require.False(t, selectsSeeds("FuzzA/seed#9$", "FuzzA", 9))
}
