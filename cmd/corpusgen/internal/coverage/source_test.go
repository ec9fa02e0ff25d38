package coverage

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Code is cut where what is reached ends. A function literal is within another block.
func TestPaint(t *testing.T) {
	const text = "func F(a bool) {\n\tif a { return }\r\n\tf := func() {\n\t\tg()\n\t}\n\th(f)\n}"
	blocks := []Block{
		{"f", Position{1, 16}, Position{2, 7}, 1},
		{"f", Position{2, 7}, Position{2, 17}, 1},
		{"f", Position{3, 2}, Position{6, 6}, 2},
		{"f", Position{3, 14}, Position{5, 3}, 1},
		{"f", Position{9, 1}, Position{90, 3}, 1}, // the file has changed
	}
	p := Profile{blocks[0]: 1, blocks[1]: 0, blocks[2]: 2, blocks[3]: 0, blocks[4]: 1}
	var got strings.Builder
	for _, line := range paint(text, blocks, p) {
		for _, s := range line {
			got.WriteString(
				map[Reachability]string{
					NoStatement: s.Text,
					IsReached:   "<" + s.Text + ">",
					NotReached:  "!" + s.Text + "!",
				}[s.Reach])
		}
		got.WriteString("\n")
	}
	require.Equal(t, "func F(a bool) {\n\t<if a> { !return! }\n\t<f := func()> {\n\t\t!g()!\n"+
		"\t}\n\t<h(f)>\n}\n", got.String())
}
