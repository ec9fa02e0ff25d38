package operand

import (
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

type inner struct {
	List   []int
	hidden int
}

// What is changed in a copy stays as it was in the value.
func TestOwn(t *testing.T) {
	t.Parallel()
	list := []int{1, 2}
	if c := Own(list); len(c) == 2 {
		c[0] = 7
	}
	table := map[string]int{}
	Own(table)["a"] = 1
	require.Equal(t, []int{1, 2}, list)
	require.Empty(t, table)

	make := func() any {
		n := 1
		return map[string]any{
			"pointer": &struct{ A, B any }{&n, []any{[]int{1}, map[int][]int{1: {1}}}},
			"array":   [1]*int{&n}, "struct": inner{List: []int{1}, hidden: 1}, "nil": (*int)(nil),
			"none": nil, "func": (func())(nil),
		}
	}
	v := make()
	c := Own(v).(map[string]any)
	require.True(t, reflect.DeepEqual(make(), any(c)))
	p := c["pointer"].(*struct{ A, B any })
	*p.A.(*int) = 2
	p.B.([]any)[0].([]int)[0] = 2
	p.B.([]any)[1].(map[int][]int)[1][0] = 2
	*c["array"].([1]*int)[0] = 2
	c["struct"].(inner).List[0] = 2
	delete(c, "none")
	require.True(t, reflect.DeepEqual(make(), v))
	for _, v := range []any{nil, 1, "a", time.Unix(1, 0), (*int)(nil), []int(nil),
		map[string]int(nil)} {
		require.Equal(t, v, Own(v))
	}
}
