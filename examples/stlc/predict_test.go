package stlc

import (
	"testing"

	"github.com/espalier-go/espalier/bigen/tune/predict"
	"github.com/stretchr/testify/require"
)

// What a well-typed term may consist of depends on the types of the variables around it. So the
// counts of its constructs cannot be computed from the counts of its parts. For untyped terms,
// they can.
func TestNotPredicted(t *testing.T) {
	t.Parallel()
	_, err := predict.Read(genTerm(nil, higher, 4))
	require.ErrorIs(t, err, predict.ErrContext)

	g, err := predict.Read(genUntyped(4))
	require.NoError(t, err)
	mean, _ := g.ExpectTags(predict.Unlimited, "app")
	require.Greater(t, mean, 0.5)
}
