package explore

import (
	"reflect"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/examples/planted"
	"github.com/espalier-go/espalier/internal/engine"
	"github.com/stretchr/testify/require"
)

// Values with which a script is compared while it is translated get into it, in the same place.
func TestSubstitutionsFindPlanted(t *testing.T) {
	const magicNumber, magicText = 0x5eed1e55, "halt-and-catch"
	nested := func(c planted.Command) []planted.Command {
		return []planted.Command{{Op: planted.Print, Var: 1},
			{Op: planted.Repeat, Times: 2,
				Body: []planted.Command{{Op: planted.If, Var: 3,
					Body: []planted.Command{{Op: planted.Print}, c}}}}}
	}
	// What Translate compares, as it is compiled: also the operations, in each switch.
	var compare func(script []planted.Command, depth int) ([]engine.NumberComparison, []engine.TextComparison)
	compare =
		func(
			script []planted.Command, depth int,
		) (numbers []engine.NumberComparison, texts []engine.TextComparison) {
			for _, c := range script {
				for op := planted.Print; op <= planted.Repeat; op++ {
					numbers = append(numbers, engine.NumberComparison{
						Site:  uint64(op),
						A:     uint64(op),
						B:     uint64(c.Op),
						Size:  8,
						Const: true,
					})
				}
				if depth >= 2 && c.Op == planted.Set {
					numbers = append(numbers, engine.NumberComparison{
						Site:  100,
						A:     magicNumber,
						B:     uint64(uint32(c.Value)),
						Size:  4,
						Const: true,
					})
				}
				if depth >= 2 && c.Op == planted.Say {
					numbers = append(numbers, engine.NumberComparison{
						Site:  101,
						A:     uint64(len(magicText)),
						B:     uint64(len(c.Text)),
						Size:  8,
						Const: true,
					})
					texts = append(texts, engine.TextComparison{
						Site: 102,
						A:    []byte(c.Text),
						B:    []byte(magicText),
					})
				}
				n, s := compare(c.Body, depth+1)
				numbers, texts = append(numbers, n...), append(texts, s...)
			}
			return numbers, texts
		}
	for _, tt := range []struct {
		name       string
		have, want planted.Command
	}{
		{"number", planted.Command{Op: planted.Set, Var: 2, Value: -98765},
			planted.Command{Op: planted.Set, Var: 2, Value: magicNumber}},
		{"small number", planted.Command{Op: planted.Set, Var: 2},
			planted.Command{Op: planted.Set, Var: 2, Value: magicNumber}},
		{"text", planted.Command{Op: planted.Say, Text: "qx-"},
			planted.Command{Op: planted.Say, Text: magicText}},
		{"long text", planted.Command{Op: planted.Say, Text: "abcdefghijklmnop"},
			planted.Command{Op: planted.Say, Text: magicText}},
		{"empty text", planted.Command{Op: planted.Say},
			planted.Command{Op: planted.Say, Text: magicText}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			script := nested(tt.have)
			tree, err := bigen.Choices(planted.GenScript, script)
			require.NoError(t, err)
			numbers, texts := compare(script, 0)
			for i, s := range substitutionsOf(tree, numbers, texts) {
				require.Less(t, i, 4, "among the first")
				made, err := bigen.Value(planted.GenScript, choices.Replay(s.Apply(tree), nil))
				require.NoError(t, err)
				if reflect.DeepEqual(made, nested(tt.want)) {
					return
				}
			}
			require.Fail(t, "not found")
		})
	}
}
