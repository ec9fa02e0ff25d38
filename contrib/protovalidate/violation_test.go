package protovalidate_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	buf "buf.build/go/protovalidate"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/bigenpb"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/contrib/protovalidate"
)

// Rules in CEL have violations, too, and the library says that all values are invalid.
func TestViolations(t *testing.T) {
	order := `cel { id: "order" message: "it ends with a 4" expression: "this.end % 10 != 4" }
		oneof { fields: "begin" fields: "next" }`
	d := ruled(t, order, map[string]string{
		"begin": even + ` int32 { gt: -8 }`, "list": `repeated { max_items: 3 items { ` + even + ` } }`,
		"map": `map { keys { ` + even + ` } values { int32 { lt: 9 } ` + even + ` } }`,
	})
	found := map[string]bool{}
	for _, v := range bigenpb.Violations(d, protovalidate.Rules(nil)) {
		found[v.Name] = true
		made := 0
		for seed := range uint64(20) {
			m, _, err := bigen.Run(v.Gen, choices.Random(rand.New(rand.NewPCG(seed, 0))))
			if err != nil {
				continue // rejected
			}
			made++
			require.Error(t, buf.Validate(m), "%v", m)
			require.NoError(t, bigen.Check(v.Gen, m), "%v", m)
		}
		require.Greater(t, made, 5, v.Name)
	}
	require.Equal(t, map[string]bool{
		"rules in CEL": true, "oneof: one of begin and next": true, "begin: range": true,
		"begin: rules in CEL": true, "list: max_items": true, "list[]: rules in CEL": true,
		"map[key]: rules in CEL": true, "map[value]: range": true, "map[value]: rules in CEL": true,
	}, found)
}
