package fuzzext

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A value whose failure has come and gone has one file, however often it fails later.
func TestSaveEntry(t *testing.T) {
	inPackageDir(t)
	marked, isNew, err := saveEntry("testdata", []byte("a"), flakyMark)
	require.NoError(t, err)
	require.True(t, isNew)
	again, isNew, err := saveEntry("testdata", []byte("a"), "")
	require.NoError(t, err)
	require.False(t, isNew)
	require.Equal(t, marked, again)
	other, isNew, err := saveEntry("testdata", []byte("b"), "")
	require.NoError(t, err)
	require.True(t, isNew)
	require.NotEqual(t, marked, other)
	require.Equal(t, mostRepeats, repeatsOf(marked))
}
