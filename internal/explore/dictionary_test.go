package explore

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/engine"
)

func TestDictionary(t *testing.T) {
	tree := choices.Tree{text("the input"), int64s(77)}
	var d dictionary
	marks := func() (s []string) {
		for _, m := range d.marks {
			s = append(s, fmt.Sprint(m.Kind, m))
		}
		return s
	}
	d.learn(tree, compared(77, 1234, 8), comparedTexts("input", "keyword"))
	d.learn(tree, compared(77, 4321, 8), comparedTexts("keyword", ""))
	require.Equal(t, []string{"2 77", "1 77", `3 "keyword"`}, marks(), "constants, once")
	d.learn(tree, []engine.NumberComparison{{A: 1000, B: 2000, Size: 8}, {A: 2000, B: 1, Size: 3, Const: true}}, nil)
	d.learn(tree, compared(16, 3, 8), nil)
	d.learn(tree, compared(minus(16), 3, 2), nil)
	require.Len(t, d.marks, 3, "no constants, or small ones")

	d = dictionary{}
	d.learn(tree, compared(minus(50), 3, 2), nil)
	require.Equal(t, []string{"2 65486", "1 -50", "1 65486"}, marks(), "of either kind")

	d = dictionary{}
	many := func(from, n int, site func(i int) uint64) {
		var texts []engine.TextComparison
		for i := from; i < from+n; i++ {
			texts = append(texts, engine.TextComparison{Site: site(i), A: fmt.Append(nil, "word", i)})
		}
		d.learn(nil, nil, texts)
	}
	many(0, 100, func(int) uint64 { return 5 })
	require.Equal(t, []string{`3 "word92"`, `3 "word93"`, `3 "word94"`, `3 "word95"`, `3 "word96"`, `3 "word97"`, `3 "word98"`, `3 "word99"`}, marks(), "few of one site")
	many(100, 247, func(i int) uint64 { return uint64(i) })
	many(0, 92, func(int) uint64 { return 5 })
	require.Len(t, d.marks, 255)
	require.Equal(t, `3 "word100"`, marks()[0], "a site displaces nothing but its own")
	require.Equal(t, `3 "word91"`, marks()[254])
	many(400, 10, func(i int) uint64 { return uint64(i) })
	require.Len(t, d.marks, 256)
	require.Equal(t, `3 "word109"`, marks()[0], "the oldest go")
	require.Equal(t, `3 "word409"`, marks()[255])
}
