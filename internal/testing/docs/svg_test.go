package docs

import (
	"encoding/xml"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// The picture of a terminal has a grid of cells, and a margin.
const (
	cellWidth, cellHeight = 7.8, 19
	margin                = 16
)

// svgHead opens the picture. Its text is selectable, and its colors follow the reader's.
const svgHead = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %[1]d %[2]d" width="%[1]d" height="%[2]d" role="img">
<title>%[3]s</title>
<style>
rect { fill: #f6f8fa; stroke: #d0d7de; }
text { fill: #24292f; font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; white-space: pre; }
.command { font-weight: bold; }
.alarm { fill: #b42318; font-weight: bold; }
.title { fill: #0a58ca; }
.left { fill: #6e7781; }
@media (prefers-color-scheme: dark) {
rect { fill: #161b22; stroke: #30363d; }
text { fill: #e6edf3; }
.alarm { fill: #ff7b72; }
.title { fill: #79c0ff; }
.left { fill: #8b949e; }
}
</style>
<rect x=".5" y=".5" width="%[4]d" height="%[5]d" rx="8"/>
`

// svg draws a session as a terminal of so many columns.
func svg(session []string, columns int) string {
	var texts strings.Builder
	row := 0
	for _, line := range withoutTables(session, columns) {
		for _, part := range wrap(line, columns) {
			trimmed := strings.TrimLeft(part, " ")
			indent := len(part) - len(trimmed)
			if trimmed != "" {
				fmt.Fprintf(&texts, `<text%s x="%.1f" y="%d" textLength="%.1f">%s</text>`+"\n",
					class(line), margin+float64(indent)*cellWidth, margin+row*cellHeight+14,
					float64(utf8.RuneCountInString(trimmed))*cellWidth, escaped(trimmed))
			}
			row++
		}
	}
	width, height := 2*margin+int(float64(columns)*cellWidth), 2*margin+row*cellHeight
	return fmt.Sprintf(svgHead, width, height, escaped(strings.TrimPrefix(session[0], "$ ")),
		width-1, height-1) + texts.String() + "</svg>\n"
}

var gap = regexp.MustCompile(`\S {3,}\S`)

// withoutTables returns the session without the tables that are wider than the terminal. They keep
// their titles.
func withoutTables(session []string, columns int) (lines []string) {
	for i, line := range session {
		if len(line) <= columns || !gap.MatchString(line) {
			lines = append(lines, line)
			continue
		}
		for i < len(session) && session[i] != "" && session[i] != ellipsis {
			i++
		}
		return append(append(lines, ellipsis), withoutTables(session[i:], columns)...)
	}
	return lines
}

// class says how a line of a session looks.
func class(line string) string {
	switch {
	case strings.HasPrefix(line, "$ "):
		return ` class="command"`
	case strings.HasPrefix(line, "--- FAIL"):
		return ` class="alarm"`
	case line == ellipsis:
		return ` class="left"`
	case strings.HasSuffix(line, ":") || strings.HasPrefix(line, "    the schedule"):
		return ` class="title"`
	}
	return ""
}

// wrap breaks a line between words if it is longer than a terminal has columns. Later lines are
// indented by two more.
func wrap(line string, columns int) (parts []string) {
	indent := strings.Repeat(" ", len(line)-len(strings.TrimLeft(line, " ")))
	for utf8.RuneCountInString(line) > columns {
		runes := []rune(line)
		at := columns
		for at > len(indent)+2 && runes[at] != ' ' {
			at--
		}
		if runes[at] != ' ' {
			at = columns // a word that no line holds
		}
		parts = append(parts, string(runes[:at]))
		line = indent + "  " + strings.TrimPrefix(string(runes[at:]), " ")
	}
	return append(parts, line)
}

func escaped(text string) string {
	var b strings.Builder
	if err := xml.EscapeText(&b, []byte(text)); err != nil {
		panic(err) // a Builder takes all
	}
	return b.String()
}

func TestWithoutTables(t *testing.T) {
	t.Parallel()
	session := []string{"title", "a    b     c", "    d", "", "a long line of words"}
	require.Equal(t, session, withoutTables(session, 12))
	require.Equal(t, []string{"title", ellipsis, "", "a long line of words"}, withoutTables(session, 11))
	require.Equal(t, []string{"title", ellipsis}, withoutTables(session[:3], 11))
}

func TestWrap(t *testing.T) {
	t.Parallel()
	for line, want := range map[string][]string{
		"":                   {""},
		"one two":            {"one two"},
		"one two three four": {"one two", "  three", "  four"},
		"  one two three":    {"  one two", "    three"},
		"0123456789abcde":    {"0123456789", "  abcde"},
		"äöü äöü äöü":        {"äöü äöü", "  äöü"},
	} {
		require.Equal(t, want, wrap(line, 10), line)
	}
}
