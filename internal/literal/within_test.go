package literal

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestWithin(t *testing.T) {
	const this = "github.com/espalier-go/espalier/internal/literal"
	type local struct{ x int }
	cycle := []any{1}
	cycle[0] = cycle
	for name, c := range map[string]struct {
		v   any
		pkg string
		all bool
	}{
		"plain":               {map[string][]int{"a": {1, 2}}, "", true},
		"nil":                 {nil, "", true},
		"own fields":          {local{1}, this, true},
		"another's fields":    {local{1}, "other", false},
		"another's type":      {local{}, "other", false},
		"buffer":              {bytes.NewBufferString("a"), this, false},
		"empty buffer":        {&bytes.Buffer{}, this, true},
		"time":                {time.Unix(1, 2).UTC(), this, true},
		"function":            {func() {}, this, false},
		"nil function":        {(func())(nil), this, true},
		"cycle":               {cycle, this, false},
		"comment in a string": {"/* ... */", this, true},
		"too large":           {strings.Split(strings.Repeat("word ", 1000), " "), this, false},
		"one too large":       {strings.Repeat("word ", 1000), this, false},
	} {
		text, all := Within(1000, c.v, c.pkg)
		require.Equal(t, c.all, all, "%s: %s", name, text)
		require.LessOrEqual(t, len(text), 1000, name)
	}
}

func TestTypeName(t *testing.T) {
	require.Equal(t, "any", TypeName(reflect.TypeFor[any](), ""))
	require.Equal(t, "bytes.Buffer", TypeName(reflect.TypeFor[bytes.Buffer](), "other"))
	require.Equal(t, "Buffer", TypeName(reflect.TypeFor[bytes.Buffer](), "bytes"))
}
