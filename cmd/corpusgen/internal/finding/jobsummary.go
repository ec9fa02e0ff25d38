package finding

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
)

const (
	maxShown = 20   // failures of a job summary
	maxText  = 4000 // bytes of each of their texts
)

// writeJobSummary appends to the summary that GitHub Actions shows of a job, if it runs corpusgen.
func (l *List) writeJobSummary() error {
	path := os.Getenv("GITHUB_STEP_SUMMARY")
	if path == "" || l.Command == "" {
		return nil
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	_, err = f.WriteString(l.markdown(os.Getenv))
	if failed := f.Close(); err == nil {
		err = failed
	}
	return err
}

// markdown returns the job summary.
func (l *List) markdown(env func(string) string) string {
	var b strings.Builder
	result := session.Count(len(l.findings), "failure", "failures")
	if l.Idle != "" && len(l.findings) == 0 {
		result = l.Idle
	}
	fmt.Fprintf(&b, "### corpusgen %s: %s\n\n", l.Command, result)
	for i, row := range l.Table {
		for _, cell := range row {
			b.WriteString("| " + escapeMarkdown(cell) + " ")
		}
		b.WriteString("|\n")
		if i == 0 {
			b.WriteString(strings.Repeat("| --- ", len(row)) + "|\n")
		}
	}
	if l.Legend != "" {
		b.WriteString("\n" + escapeMarkdown(l.Legend) + "\n")
	}
	for _, f := range l.findings[:min(len(l.findings), maxShown)] {
		fmt.Fprintf(&b, "\n#### %s fails%s\n\n%s", escapeMarkdown(f.Target), l.linked(f, env),
			fenced("", f.Message))
		for _, part := range []struct{ title, language, text string }{
			{"Minimal failing value", "go", f.Value}, {"To run it again", "sh", f.Rerun},
		} {
			if part.text != "" {
				fmt.Fprintf(&b, "\n%s:\n\n%s", part.title, fenced(part.language, part.text))
			}
		}
	}
	if more := len(l.findings) - maxShown; more > 0 {
		fmt.Fprintf(&b, "\nAnd %s.\n", session.Count(more, "more failure", "more failures"))
	}
	return b.String() + "\n"
}

// linked returns where a finding is, with a link to the line in the repository if that is known.
func (l *List) linked(f Finding, env func(string) string) string {
	at := f.Location(l.root)
	if at.Path == "" {
		return ""
	}
	place := " at " + escapeMarkdown(fmt.Sprintf("%s:%d", at.Path, at.Line))
	file := relative(env("GITHUB_WORKSPACE"), filepath.Join(l.root, filepath.FromSlash(at.Path)))
	if file == "" || env("GITHUB_SHA") == "" {
		return place
	}
	address := strings.Join([]string{env("GITHUB_SERVER_URL"), env("GITHUB_REPOSITORY"), "blob",
		env("GITHUB_SHA"), file}, "/")
	return fmt.Sprintf("%s ([source](<%s#L%d>))", place,
		strings.NewReplacer("<", "%3C", ">", "%3E", "\n", "%0A").Replace(address), at.Line)
}

var special = regexp.MustCompile("[\\\\`*_{}\\[\\]<>()#|!~&]")

// escapeMarkdown returns text that stands for itself in a line of Markdown.
func escapeMarkdown(s string) string {
	return special.ReplaceAllString(strings.Join(strings.Fields(s), " "), `\$0`)
}

var ticks = regexp.MustCompile("`+")

// fenced returns a block of code, in a fence that is not in it.
func fenced(language, text string) string {
	text = strings.TrimRight(text, "\n")
	if len(text) > maxText {
		text = strings.ToValidUTF8(text[:maxText], "") + " …"
	}
	fence := "```"
	for _, run := range ticks.FindAllString(text, -1) {
		if len(run) >= len(fence) {
			fence = run + "`"
		}
	}
	return fence + language + "\n" + text + "\n" + fence + "\n"
}
