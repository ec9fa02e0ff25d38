// Package godiff has bugs of github.com/sourcegraph/go-diff.
package godiff

import (
	"fmt"
	"strings"

	"github.com/sourcegraph/go-diff/diff"
	"pgregory.net/rapid"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/eval/bug"
)

const source = "hegeldev/hegel-zoo, targets/go/go-diff"

// Bugs are the bugs.
var Bugs = []bug.Bug{
	bug.New(bug.Spec[[]hunk]{
		Name:   "go-diff/2",
		Title:  "changed lines that begin with -- and ++ before a hunk are taken for a header of a file",
		Source: source,
		Gen: bigen.SliceOf(bigen.Struct(func(c *bigen.C, h *hunk) {
			bigen.At(c, &h.Gap, bigen.IntRange(1, 9))
			bigen.At(c, &h.Lines, bigen.SliceOf(bigen.Struct(func(c *bigen.C, l *line) {
				bigen.At(c, &l.Op, bigen.OneOf(" ", "-", "+"))
				bigen.At(c, &l.Text, bigen.Matching(text))
			}), 1, 5))
		}), 1, 4),
		Rapid: func(t *rapid.T) []hunk {
			lines := rapid.Custom(func(t *rapid.T) line {
				return line{rapid.SampledFrom([]string{" ", "-", "+"}).Draw(t, "op"),
					rapid.StringMatching(text).Draw(t, "text")}
			})
			return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) hunk {
				return hunk{rapid.IntRange(1, 9).Draw(t, "gap"), rapid.SliceOfN(lines, 1, 5).Draw(t, "lines")}
			}), 1, 4).Draw(t, "hunks")
		},
		Fails: func(hunks []hunk) string {
			want := diff.FileDiff{OrigName: "a", NewName: "b"}
			before, after := int32(0), int32(0)
			for _, h := range hunks {
				before, after = before+int32(h.Gap), after+int32(h.Gap)
				next := h.build(before, after)
				before, after = before+next.OrigLines, after+next.NewLines
				want.Hunks = append(want.Hunks, next)
			}
			printed, err := diff.PrintFileDiff(&want)
			if err != nil {
				return err.Error()
			}
			got, err := diff.ParseMultiFileDiff(printed)
			switch {
			case err != nil:
				return err.Error()
			case len(got) != 1 || len(got[0].Hunks) != len(want.Hunks):
				return fmt.Sprintf("%q is read as %d files", printed, len(got))
			}
			for i, h := range got[0].Hunks {
				if string(h.Body) != string(want.Hunks[i].Body) {
					return fmt.Sprintf("hunk %d is read as %q", i, h.Body)
				}
			}
			return ""
		},
	}),
	bug.New(bug.Spec[names]{
		Name:   "go-diff/3",
		Title:  "the name of a file loses a space at its end, though a tab follows",
		Source: source,
		Gen: bigen.Struct(func(c *bigen.C, n *names) {
			bigen.At(c, &n.Old, bigen.Matching(name))
			bigen.At(c, &n.New, bigen.Matching(name))
		}),
		Rapid: func(t *rapid.T) names {
			return names{rapid.StringMatching(name).Draw(t, "old"),
				rapid.StringMatching(name).Draw(t, "new")}
		},
		Fails: func(n names) string {
			files, err := diff.ParseMultiFileDiff(
				[]byte("--- " + header("a/"+n.Old) + "\n+++ " + header("b/"+n.New) + "\n@@ -1 +1 @@\n-a\n+b\n"))
			if err != nil {
				return err.Error()
			}
			if len(files) != 1 || files[0].OrigName != "a/"+n.Old || files[0].NewName != "b/"+n.New {
				return fmt.Sprintf("%q is read as %+v", n, files)
			}
			return ""
		},
	}),
	bug.New(bug.Spec[[]file]{
		Name:   "go-diff/4",
		Title:  "a binary patch of a file that is renamed, or has another mode, is dropped",
		Source: source,
		Gen: bigen.SliceOf(bigen.Struct(func(c *bigen.C, f *file) {
			bigen.At(c, &f.Renamed, bigen.Bool())
			bigen.At(c, &f.Mode, bigen.Bool())
			bigen.At(c, &f.Change, bigen.OneOf(f.changes()...))
		}), 0, 4),
		Rapid: func(t *rapid.T) []file {
			return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) file {
				f := file{Renamed: rapid.Bool().Draw(t, "renamed"), Mode: rapid.Bool().Draw(t, "mode")}
				f.Change = rapid.SampledFrom(f.changes()).Draw(t, "change")
				return f
			}), 0, 4).Draw(t, "files")
		},
		Fails: func(files []file) string {
			var b strings.Builder
			for i, f := range files {
				f.print(&b, i)
			}
			got, err := diff.ParseMultiFileDiff([]byte(b.String()))
			if err != nil {
				return err.Error()
			}
			if len(got) != len(files) {
				return fmt.Sprintf("%d files, want %d", len(got), len(files))
			}
			for i, f := range files {
				if !strings.HasSuffix(got[i].NewName, f.name(i)) {
					return fmt.Sprintf("file %d is named %q, want %q", i, got[i].NewName, f.name(i))
				}
			}
			return ""
		},
	}),
}

const (
	text = `[-+ab ]{0,4}`
	name = `[a-c ]{0,4}[a-c .]`
)

// A hunk follows so many lines that are not in the diff.
type hunk struct {
	Gap   int
	Lines []line
}

type line struct{ Op, Text string }

// build returns a hunk at lines of the two files.
func (h hunk) build(before, after int32) *diff.Hunk {
	d := &diff.Hunk{OrigStartLine: before, NewStartLine: after}
	for _, l := range h.Lines {
		if l.Op != "+" {
			d.OrigLines++
		}
		if l.Op != "-" {
			d.NewLines++
		}
		d.Body = append(d.Body, l.Op+l.Text+"\n"...)
	}
	return d
}

type names struct{ Old, New string }

// header returns a name as git writes it.
func header(name string) string {
	if strings.Contains(name, " ") {
		return name + "\t"
	}
	return name
}

// A file is what git diff --binary says of one.
type file struct {
	Renamed, Mode bool
	Change        string
}

// changes returns what may have changed in the file, which is not in the diff if nothing has.
func (f *file) changes() []string {
	if f.Renamed || f.Mode {
		return []string{"none", "text", "binary"}
	}
	return []string{"text", "binary"}
}

func (f file) name(i int) string {
	if f.Renamed {
		return fmt.Sprintf("new%d", i)
	}
	return fmt.Sprintf("old%d", i)
}

func (f file) print(b *strings.Builder, i int) {
	from, to := fmt.Sprintf("old%d", i), f.name(i)
	fmt.Fprintf(b, "diff --git a/%s b/%s\n", from, to)
	if f.Mode {
		b.WriteString("old mode 100644\nnew mode 100755\n")
	}
	if f.Renamed {
		fmt.Fprintf(b, "similarity index 50%%\nrename from %s\nrename to %s\n", from, to)
	}
	if f.Change != "none" {
		b.WriteString("index 0123456..789abcd")
		if !f.Mode {
			b.WriteString(" 100644")
		}
		b.WriteString("\n")
	}
	switch f.Change {
	case "text":
		fmt.Fprintf(b, "--- a/%s\n+++ b/%s\n@@ -1 +1 @@\n-a\n+b\n", from, to)
	case "binary":
		b.WriteString("GIT binary patch\nliteral 1\nIcmZQz0000\n\nliteral 1\nIcmZQz0001\n\n")
	}
}
