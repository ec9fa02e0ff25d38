package stats

import (
	"bytes"
	"encoding/xml"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/job"
	"github.com/espalier-go/espalier/internal/testing/require"
)

var update = flag.Bool("update", false, "rewrite the golden file")

// hostile is text that breaks out of HTML, attributes and templates if it is not escaped.
const hostile = `</pre></text></svg>"'><script>alert(1)</script><img src=x onerror=alert(2)>{{.}}` + "\u202e\x00"

// sample returns a page with all its parts. Text is in every place that a user fills.
func sample(text string) *Page {
	entry := func(number, size int, drawn bool, n int64) job.Entry {
		e := job.Entry{Number: number, Of: "entry" + strconv.Itoa(number), Drawn: drawn, Status: job.Valid, Value: text, Labels: []string{text}, Data: make([]byte, size)}
		for i := range size {
			e.Tree = append(e.Tree, choices.Choice{Kind: choices.Pick, Tag: text + strconv.Itoa(i%3), Size: 1, Hi: 2},
				choices.Choice{Kind: choices.Int, N: n + int64(i), Size: 1, Hi: 99})
		}
		return e
	}
	var entries []job.Entry
	for i := range 5 {
		entries = append(entries, entry(i, i+1, false, 3))
	}
	entries = append(entries, entries[4], job.Entry{Of: text, Status: job.Rejected, Why: text})
	entries[2].Status, entries[2].Why = job.Failing, text
	near := entry(8, 5, false, 3)
	near.Tree[9].N++
	entries = append(entries, near)
	for i := range 30 {
		entries = append(entries, entry(i, 1+i%7, true, int64(i)))
	}
	return &Page{Command: "corpusgen report " + text, Targets: []*Target{
		{Package: "example.com/" + text, Name: "FuzzX", Survey: newSurvey(entries, 2), Files: []File{{text, 5, 8}}},
		{Package: "example.com", Name: "FuzzPlain", Survey: &Survey{Plain: true, Entries: 2, Bytes: spreadOf([]int{3, 4})}},
		{Package: "example.com", Name: "FuzzNone", Survey: newSurvey(nil, 2)},
	}}
}

func write(t *testing.T, p *Page) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "dir", "report.html")
	require.NoError(t, p.Write(path))
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(b)
}

// An element is a start tag of the page.
type element struct {
	name string
	attr map[string]string
}

// elements parses a page, whose tags must balance.
func elements(t *testing.T, page string) (list []element) {
	d := xml.NewDecoder(strings.NewReader(page))
	d.Strict, d.AutoClose, d.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	var open []string
	for {
		token, err := d.Token()
		if err == io.EOF {
			require.Empty(t, open)
			return list
		}
		require.NoError(t, err)
		switch x := token.(type) {
		case xml.StartElement:
			e := element{x.Name.Local, map[string]string{}}
			for _, a := range x.Attr {
				e.attr[a.Name.Local] = a.Value
			}
			list, open = append(list, e), append(open, e.name)
		case xml.EndElement:
			require.Equal(t, open[len(open)-1], x.Name.Local)
			open = open[:len(open)-1]
		}
	}
}

// The structure of the page: its elements, and what ties them together.
func TestStructure(t *testing.T) {
	list := elements(t, write(t, sample("text")))
	var got bytes.Buffer
	ids := map[string]bool{}
	for _, e := range list {
		if id := e.attr["id"]; id != "" {
			require.False(t, ids[id], "two elements %s", id)
			ids[id] = true
		}
		switch e.name {
		case "h1", "h2", "h3", "nav", "section", "figure", "figcaption", "svg", "desc", "table", "caption", "details", "polyline":
			got.WriteString(e.name + " " + e.attr["aria-label"] + e.attr["aria-labelledby"] + e.attr["class"] + "\n")
		}
	}
	for i, e := range list {
		switch {
		case e.name == "table":
			require.Equal(t, "caption", list[i+1].name)
		case e.name == "th":
			require.Contains(t, []string{"col", "row"}, e.attr["scope"])
		case e.attr["role"] == "group":
			require.Equal(t, "0", e.attr["tabindex"])
			require.NotEmpty(t, e.attr["aria-label"])
		}
		for _, name := range []string{"aria-labelledby", "aria-describedby"} {
			if id := e.attr[name]; id != "" {
				require.True(t, ids[id], id)
			}
		}
		if href := e.attr["href"]; href != "" {
			require.True(t, ids[strings.TrimPrefix(href, "#")], href)
		}
		for _, name := range []string{"src", "onload", "onerror", "onclick", "style"} {
			require.NotContains(t, e.attr, name)
		}
		require.NotContains(t, []string{"script", "link", "img", "iframe", "object"}, e.name)
	}
	golden := filepath.Join("testdata", "structure")
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o777))
		require.NoError(t, os.WriteFile(golden, got.Bytes(), 0o666))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, strings.ReplaceAll(string(want), "\r\n", "\n"), got.String())
}

// Values, tags, labels, names and messages cannot add an element or an attribute.
func TestHostile(t *testing.T) {
	calm, page := write(t, sample("text")), write(t, sample(hostile))
	tags := func(page string) (list []string) {
		for _, e := range elements(t, page) {
			list = append(list, e.name)
			for name := range e.attr {
				require.False(t, strings.HasPrefix(name, "on"), name)
			}
		}
		return list
	}
	require.Equal(t, tags(calm), tags(page))
	require.NotContains(t, page, "<script")
	require.NotContains(t, page, "http")
	require.Greater(t, strings.Count(page, "&lt;script&gt;"), 20)
}

// Only a page is replaced.
func TestWrite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "report.html")
	p := &Page{}
	require.NoError(t, p.Write(path))
	require.NoError(t, p.Write(path))
	require.NoError(t, os.WriteFile(path, []byte("<!DOCTYPE html>mine"), 0o666))
	require.ErrorContains(t, p.Write(path), "is not of this kind")
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "<!DOCTYPE html>mine", string(b))
}

// No label is cut by the edge of the drawing.
func TestShort(t *testing.T) {
	for name, want := range map[string]string{
		"":                     "",
		"child":                "child",
		"12345678901234567":    "12345678901234567",
		"-1801439850948198400": "-180143985094819…",
		"WWWWWWWWWWWW":         "WWWWWWWWWW…",
		"木木木木木木木木木木木木":         "木木木木木木木木木木…",
	} {
		require.Equal(t, want, short(name, 142))
	}
}
