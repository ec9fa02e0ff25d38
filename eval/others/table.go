package others

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
)

// PrintTable writes rows whose cells are separated by tabs, the first of them a header, as text or
// as Markdown.
func PrintTable(out io.Writer, rows []string, markdown bool) error {
	if markdown {
		line := strings.Repeat("---\t", strings.Count(rows[0], "\t")) + "---"
		for _, row := range slices.Insert(slices.Clone(rows), 1, line) {
			fmt.Fprintf(out, "| %s |\n", strings.ReplaceAll(row, "\t", " | "))
		}
		return nil
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, strings.Join(rows, "\t\n")+"\t")
	return w.Flush()
}
