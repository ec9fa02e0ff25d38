package stats

import (
	"bytes"
	"encoding/xml"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/coverage"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
	"github.com/espalier-go/espalier/internal/job"
	"github.com/espalier-go/espalier/internal/testing/browser"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite the golden file")

// hostile is text that breaks out of HTML, attributes and templates if it is not escaped.
const hostile = `</pre></text></svg>"'><script>alert(1)</script><img src=x onerror=alert(2)>{{.}}` +
	"\u202e\x00"

// sample returns a page with all its parts. Text is in every place that a user fills.
func sample(text string) *Page {
	entry := func(number, size int, drawn bool, n int64) job.Entry {
		e := job.Entry{
			Number: number,
			Of:     "entry" + strconv.Itoa(number),
			Drawn:  drawn,
			Status: job.Valid,
			Value:  text,
			Labels: []string{text},
			Data:   make([]byte, size),
		}
		for i := range size {
			e.Tree = append(e.Tree,
				choices.Choice{Kind: choices.Pick, Tag: text + strconv.Itoa(i%3), Size: 1, Hi: 2},
				choices.Choice{Kind: choices.Int, N: n + int64(i), Size: 1, Hi: 99})
		}
		return e
	}
	var entries []job.Entry
	for i := range 5 {
		entries = append(entries, entry(i, i+1, false, 3))
	}
	entries = append(entries, entries[4], job.Entry{Of: "/" + text, Status: job.Rejected, Why: text})
	for i := range 5 {
		entries[i].Status, entries[i].Why = job.Failing, "page_test.go:2: "+text+strconv.Itoa(i)
	}
	near := entry(8, 5, false, 3)
	near.Tree[9].N++
	entries = append(entries, near)
	for i := range 30 {
		entries = append(entries, entry(i, 1+i%7, true, int64(i)))
	}
	s := &session.Session{Flags: &gotest.Flags{}, Env: &gotest.Env{GOCACHE: "cache"}}
	s.Cached = true
	dir, _ := filepath.Abs(".")
	target := func(name string, found *Survey) *Section {
		t := &session.Target{
			Workshop: &session.Workshop{
				Session: s,
				Package: gotest.Package{Path: "example.com/" + text, Dir: dir},
			},
			Name:  name,
			Seeds: "testdata/fuzz/FuzzX",
		}
		shown := &Section{ID: len(name), Package: t.Package.Path, Name: name, Survey: found}
		if name == "FuzzNone" {
			return shown
		}
		lines := [][]coverage.Span{{{Text: text}},
			{{Text: text, Reach: coverage.IsReached}, {Text: text, Reach: coverage.NotReached}}}
		shown.Files = []*coverage.Source{{Name: text + ".go", Path: "page_test.go", Reached: 5,
			Statements: 8, Lines: lines, Functions: []*coverage.Function{
				{Path: "page_test.go", Line: 2, Name: text, Reached: 5, Statements: 8},
				{Path: text, Name: text}}},
			{Name: text, Statements: 2, Functions: []*coverage.Function{
				{Path: text, Line: 1, Name: text, Statements: 2}}}}
		shown.fail(t, t.Package.Dir)
		shown.weaken(t,
			[]coverage.Part{{Path: "page_test.go", Function: text,
				Start: coverage.Position{Line: 2}, Statements: 1, Text: text}})
		return shown
	}
	plain := &Survey{
		Plain:   true,
		Entries: 2,
		Bytes:   spreadOf([]int{3, 4}),
		corpus:  []*job.Entry{{Of: text, Value: text}},
	}
	plain.Problems = []Problem{{Name: text, Status: job.Failing, Why: text,
		File: "javascript:" + text}}
	return &Page{Command: "corpusgen report " + text, Targets: []*Section{
		target("FuzzX", newSurvey(entries, 2)), target("FuzzPlain", plain),
		target("FuzzNone", newSurvey(nil, 2)),
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
		case "h1", "h2", "h3", "button", "figure", "figcaption", "svg", "desc", "table", "caption",
			"details", "polyline":
			got.WriteString(e.name + " " + e.attr["aria-label"] + e.attr["aria-labelledby"] +
				e.attr["class"] + "\n")
		}
	}
	for i, e := range list {
		switch {
		case e.name == "table":
			require.Equal(t, "caption", list[i+1].name)
		case e.name == "th":
			require.Contains(t, []string{"col", "row"}, e.attr["scope"])
		case e.name == "button":
			require.Equal(t, "code", list[i-1].name)
		}
		for _, name := range []string{"aria-labelledby", "aria-describedby"} {
			if id := e.attr[name]; id != "" {
				require.True(t, ids[id], id)
			}
		}
		if href := e.attr["href"]; !strings.HasPrefix(href, "./") && href != "" {
			require.True(t, ids[strings.TrimPrefix(href, "#")], href)
		}
		for _, name := range []string{"src", "onload", "onerror", "onclick", "style"} {
			require.NotContains(t, e.attr, name)
		}
		require.NotContains(t, []string{"link", "img", "iframe", "object"}, e.name)
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
	require.Equal(t, 1, strings.Count(page, "<script"))
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

// What a reader does with the page, at the width of a telephone and of a desk.
func TestBrowser(t *testing.T) {
	long := strings.Repeat("long", 100)
	for _, width := range []int{390, 1280} {
		path := filepath.Join(t.TempDir(), "report.html")
		require.NoError(t, sample(long).Write(path))
		got := browser.Run(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, path) }), width, `
			const all = of => [...doc.querySelectorAll(of)], said = [];
			const visible = e => e.checkVisibility();
			said.push("few stops: " + (all("a[href], button, input, summary, [tabindex]").filter(visible).length < 30));

			const button = doc.querySelector("button.copy");
			button.click();
			await sleep(100);
			said.push("copied: " + (win.getSelection() + "" === button.previousElementSibling.textContent) + ", " + button.textContent);

			win.location.hash = doc.querySelector(".failure h3 a").hash;
			await sleep(100);
			said.push("link: " + visible(doc.getElementById("t5-0-2")));

			const filter = doc.getElementById("filter");
			filter.value = "fuzzpl 2 ENT";
			filter.dispatchEvent(new win.Event("input"));
			said.push("filter: " + all("details.target").filter(visible).length + ", " + doc.getElementById("said").textContent);
			filter.value = "";
			filter.dispatchEvent(new win.Event("input"));

			for (const d of all("details")) d.open = true;
			const cut = all("body *").filter(e => visible(e) && !e.closest(".unseen, option") &&
				(e.getBoundingClientRect().right > win.innerWidth + 1 || e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflowX !== "visible"));
			said.push("cut: " + cut.map(e => e.outerHTML.slice(0, 80)));
			const collide = (a, b) => a.left < b.right && b.left < a.right && a.top + 3 < b.bottom && b.top + 3 < a.bottom;
			for (const svg of all("svg")) {
				const words = [...svg.querySelectorAll("text")];
				words.forEach((a, i) => words.slice(i + 1).forEach(b => {
					if (collide(a.getBoundingClientRect(), b.getBoundingClientRect())) said.push("collision: " + a.textContent + " " + b.textContent);
				}));
			}
			return said.join("\n");`)
		require.Equal(t, "few stops: true\ncopied: true, Copied\nlink: true\n"+
			"filter: 1, 1 of 3 targets\ncut: ", got, "at %d", width)
	}
}

// The value that has most of the missing combinations stands for them, unless it is long.
func TestRichest(t *testing.T) {
	c := &Combinations{Examples: []Missing{{"_(0: a, 1: b)", 9, "long"}, {"c", 8, "x"},
		{"d", 7, "y"}, {"e", 7, ""}, {"f", 6, "y"}}}
	for range 3 {
		c.Examples = append(c.Examples, Missing{"g", 1, strings.Repeat("z", 2*fewBytes)})
	}
	value, names := c.richest()
	require.Equal(t, "y", value)
	require.Equal(t, []string{"d", "f"}, names)
	c.Examples = c.Examples[len(c.Examples)-1:]
	value, _ = c.richest()
	require.Len(t, value, 2*fewBytes)
	value, names = (&Combinations{}).richest()
	require.Empty(t, value+strings.Join(names, ""))
	for text, want := range map[string]string{
		"_(0: stop, 1: more)": "stop beside more", `node(1: "a(b")`: `"a(b" in node`, "one": "",
		"a(1: b(0: c))": "", "_(0: 16..31, 2: -1)": "16..31 beside -1",
	} {
		require.Equal(t, want, words(text), text)
	}
}

// Of plain targets, go test names what fails.
func TestPlainProblems(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t,
		os.WriteFile(filepath.Join(dir, "one"), []byte("go test fuzz v1\n[]byte(\"x\")\n"), 0o666))
	target := &session.Target{
		Workshop: &session.Workshop{Session: &session.Session{Flags: &gotest.Flags{}}},
		Name:     "FuzzX",
		Seeds:    dir,
	}
	got := plainProblems(target, "    x.go:3: lost\n--- FAIL: FuzzX/one (0.00s)\n"+
		"    x.go:4: found\n--- FAIL: FuzzX/seed#0 (0.00s)\n--- FAIL: FuzzX (0.00s)\nFAIL\n"+
		"FAIL\texample.com\t0.1s\n")
	require.Equal(t, []Problem{
		{Name: "one", Status: job.Failing, Why: "    x.go:3: lost\n", Value: `[]byte("x")`,
			File: filepath.Join(dir, "one")},
		{Name: "seed#0", Status: job.Failing, Why: "    x.go:4: found\n"},
	}, got)
}

// Go test runs no entry of the cache.
func TestAgain(t *testing.T) {
	s := &session.Session{Flags: &gotest.Flags{}, Env: &gotest.Env{GOCACHE: "/cache"}}
	s.Cached = true
	target := &session.Target{
		Workshop: &session.Workshop{Session: s, Package: gotest.Package{Path: "example.com/it"}},
		Name:     "FuzzX",
		Seeds:    "it's/testdata/fuzz/FuzzX",
	}
	for file, want := range map[string]string{
		"":                         `go test -run '^FuzzX$/^a\.b$' example.com/it`,
		"/testdata/fuzz/FuzzX/a.b": `go test -run '^FuzzX$/^a\.b$' example.com/it`,
		filepath.Join(target.Cache(), "a.b"): `mkdir -p 'it'\''s/testdata/fuzz/FuzzX' && cp ` +
			filepath.ToSlash(target.Cache()) +
			`/a.b 'it'\''s/testdata/fuzz/FuzzX' && go test -run '^FuzzX$/^a\.b$' example.com/it`,
	} {
		require.Equal(t, want, again(target, Problem{Name: "a.b", File: file}))
	}
	target.Name = "TestX"
	require.Empty(t, again(target, Problem{Name: "a", File: filepath.Join(target.Cache(), "a")}))
}

// The entries of a test are failures: seed and min do not know it.
func TestWeak(t *testing.T) {
	for name, want := range map[string]int{"FuzzX": 2, "TestX": 0} {
		shown := &Section{Survey: sample("text").Targets[0].Survey}
		shown.weaken(&session.Target{
			Workshop: &session.Workshop{Package: gotest.Package{Path: "example.com/it"}},
			Name:     name,
		}, nil)
		commands := 0
		for _, w := range shown.Weak {
			if w.Command != "" {
				require.Regexp(t, `^corpusgen (seed|min) -fuzz `, w.Command)
				commands++
			}
		}
		require.Equal(t, want, commands, name)
	}
}

// However many targets there are, those that are closed together are one stop for the keyboard.
func TestManyTargets(t *testing.T) {
	p := &Page{}
	for i := range 100 {
		p.Targets = append(p.Targets,
			&Section{ID: i, Name: "Fuzz" + strconv.Itoa(i), Survey: &Survey{Plain: true}})
	}
	path := filepath.Join(t.TempDir(), "report.html")
	require.NoError(t, p.Write(path))
	elements(t, write(t, p))
	got := browser.Run(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, path) }), 1280, `
		const count = of => [...doc.querySelectorAll(of)].filter(e => e.checkVisibility()).length;
		const stops = count("a[href], button, input, summary, [tabindex]"), filter = doc.getElementById("filter");
		filter.value = "fuzz99";
		filter.dispatchEvent(new win.Event("input"));
		return stops + " stops, " + count("details.target") + " found";`)
	require.Equal(t, "32 stops, 1 found", got)
}

// Functions that entries reach come first, those that lack most before others. Functions without
// statements are left out.
func TestFunctions(t *testing.T) {
	function := func(name string, reached, statements int) *coverage.Function {
		return &coverage.Function{Name: name, Path: "a.go", Line: 3, Reached: reached,
			Statements: statements}
	}
	shown := &Section{ID: 1, Files: []*coverage.Source{
		{Path: "b.go", Functions: []*coverage.Function{function("whole", 4, 4), function("none", 0, 0),
			function("never", 0, 9)}},
		{Path: "a.go", Lines: make([][]coverage.Span, 5), Functions: []*coverage.Function{
			function("half", 3, 6), function("rarely", 1, 9)}}}}
	got := shown.Functions()
	names := func(list []Function) (names []string) {
		for _, f := range list {
			require.Equal(t, Link{"a.go:3", "#t1-1-3"}, f.Place)
			names = append(names, fmt.Sprint(f.Name, " ", f.Missing))
		}
		return names
	}
	require.Equal(t, []string{"rarely 8", "half 3", "whole 0"}, names(got.First))
	require.Equal(t, []string{"never 9"}, names(got.Never))
	require.False(t, got.Cut())

	for range maxFunctions {
		shown.Files[0].Functions = append(shown.Files[0].Functions, function("more", 0, 1))
	}
	got = shown.Functions()
	require.Len(t, got.Never, maxFunctions)
	require.Equal(t, maxFunctions+1, got.Unreached)
	require.True(t, got.Cut())
	require.Nil(t, (&Section{}).Functions())
}
