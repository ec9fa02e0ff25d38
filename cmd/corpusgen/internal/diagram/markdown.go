package diagram

import (
	"fmt"
	"strings"
)

// inMarkdown draws schedules in Markdown.
func inMarkdown(all []schedule) string {
	var b strings.Builder
	b.WriteString(comment)
	if len(all) == 0 {
		b.WriteString("\n" + none + "\n")
	}
	for _, s := range all {
		fmt.Fprintf(&b, "\n### %s\n", escaped(s.title()))
		if s.Rest != "" {
			b.WriteString("\n" + block(s.Rest))
		}
		if len(s.Goroutines) > 0 {
			b.WriteString("\nEach line is the end of a turn.\n\n")
			row(&b, s.Goroutines)
			row(&b, strings.Split(strings.Repeat("---,", len(s.Goroutines)-1)+"---", ","))
		}
		for _, t := range s.Turns {
			cells := make([]string, len(s.Goroutines))
			text := escaped(t.Why)
			if t.Place != "" {
				text = strings.TrimSpace(text + " `" + t.Place + "`")
			}
			if t.Needed {
				text = "**" + text + "**"
			}
			cells[max(0, t.Column)] = text
			row(&b, cells)
		}
		if s.Needs != "" {
			b.WriteString("\nIt needs:\n\n" + block(s.Needs))
		}
		if s.Value != "" {
			b.WriteString("\nThe schedule:\n\n" + block(s.Value))
		}
		if s.Rerun != "" {
			b.WriteString("\nTo run it again:\n\n" + block(s.Rerun))
		}
	}
	return b.String()
}

// row writes a line of a table.
func row(b *strings.Builder, cells []string) {
	for _, cell := range cells {
		b.WriteString(strings.TrimRight("| "+cell, " ") + " ")
	}
	b.WriteString("|\n")
}

// block returns a code block. Its fence is longer than any in the text.
func block(text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fmt.Sprintf("%stext\n%s\n%s\n", fence, text, fence)
}

// escaped returns a text of one line that Markdown shows as it is.
func escaped(text string) string { return markup.Replace(text) }

var markup = strings.NewReplacer("\\", "\\\\", "`", "\\`", "*", "\\*", "_", "\\_", "|", "\\|",
	"<", "&lt;", "[", "\\[", "#", "\\#", "@", "\\@")
