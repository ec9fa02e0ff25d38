package livepage

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/page"
	"github.com/espalier-go/espalier/internal/engine"
	"github.com/espalier-go/espalier/internal/testing/browser"
	"github.com/stretchr/testify/require"
)

// newPage returns a page, and its file.
func newPage(t *testing.T) (p *Page, path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "campaign.html")
	p, err := New(path)
	require.NoError(t, err)
	return p, path
}

// While the campaign runs, a second file has its state. At the end the page has it.
func TestPage(t *testing.T) {
	p, path := newPage(t)
	p.Update(func(s *State) {
		s.Targets = []*Row{{Name: "FuzzX", Figures: Figures{Counts: Counts{Executions: 7}},
			Points: []Point{{Seconds: 0.1, Found: 3, Covered: 5}}}}
	})
	require.NoError(t, p.keep())
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Contains(t, string(text), "<title>corpusgen fuzz</title>")
	require.Contains(t, string(text), page.Style)
	require.Contains(t, string(text), page.Script)
	require.NotRegexp(t, `(src|href)="`, string(text), "the page needs no network")

	text, err = os.ReadFile(path + ".js")
	require.NoError(t, err)
	state, call := strings.CutPrefix(strings.TrimSuffix(string(text), ")\n"), "show(")
	require.True(t, call, "%s", text)
	var s State
	require.NoError(t, json.Unmarshal([]byte(state), &s))
	require.Equal(t, int64(7), s.Targets[0].Executions)
	require.Contains(t, s.Targets[0].Charts[0], "<svg ")
	require.Contains(t, s.Targets[0].Charts[0], "3 new entries after ")
	require.Regexp(t,
		`<polyline class="corpus" points="60\.0,176\.0 (\d+\.\d,176\.0 )(\d+\.\d,12\.0 )428\.0,12\.0"/>`, string(s.Targets[0].Charts[0]), "a step")
	require.False(t, s.Now.Before(s.Started))

	p.Update(func(s *State) { s.Targets[0].Covered = 5 })
	require.NoError(t, p.keep())
	require.Contains(t, p.state.Targets[0].Charts[0], "5 blocks covered after ")
	require.Contains(t, p.state.Targets[0].Charts[1], "3 new entries after ")

	require.NoError(t, p.End())
	require.NoFileExists(t, path+".js")
	text, err = os.ReadFile(path)
	require.NoError(t, err)
	require.Contains(t, string(text), `"Ended":true`)
	again, err := New(path)
	require.NoError(t, err, "it is replaced")
	require.NoError(t, again.End())
	require.NoError(t, (*Page)(nil).End())
}

// Neither file replaces one of another kind.
func TestOthers(t *testing.T) {
	for _, name := range []string{"campaign.html", "campaign.html.js"} {
		dir := t.TempDir()
		other := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(other, []byte("<!DOCTYPE html>mine"), 0o666))
		_, err := New(filepath.Join(dir, "campaign.html"))
		require.ErrorContains(t, err, "is not of this kind")
		text, err := os.ReadFile(other)
		require.NoError(t, err)
		require.Equal(t, "<!DOCTYPE html>mine", string(text))
	}
}

// However long a campaign runs, the points are few, and the last one is kept.
func TestPoints(t *testing.T) {
	var target Row
	for i := range 10_000 {
		target.Add(Point{Seconds: float64(i), Found: int64(i)})
		require.LessOrEqual(t, len(target.Points), maxPoints)
		require.Equal(t, int64(i), target.Points[len(target.Points)-1].Found)
	}
	require.Greater(t, len(target.Points), maxPoints/4)
	for i := 1; i < len(target.Points); i++ {
		require.Greater(t, target.Points[i].Seconds, target.Points[i-1].Seconds)
	}
}

// hostile is text that breaks out of HTML, attributes and scripts if it is not escaped, and too
// long for a line.
var hostile = `</pre></script></svg>"'><script>alert(1)</script><img src=x onerror=alert(2)>` +
	strings.Repeat("long", 100)

// sample fills a page with two targets.
func sample(p *Page) {
	p.Update(func(s *State) {
		for i := range 2 {
			s.Targets = append(s.Targets, &Row{
				Package: "example.com/" + hostile, Name: fmt.Sprint("Fuzz", i), Status: "ok", Running: i == 0,
				Figures: Figures{
					Counts:    Counts{Executions: 7, Seconds: 1, Covered: 3, Blocks: 8},
					Values:    6,
					Operators: []engine.OperatorStats{{Name: hostile, Tried: 2, Found: 1}},
				},
				History: []Campaign{{Ended: time.Now(),
					Counts: Counts{Executions: 1_234, Covered: 1, Blocks: 8}}},
			})
		}
		fail(s.Targets[1])
	})
}

func fail(t *Row) {
	t.Failures = append(t.Failures, engine.Failure{
		Place: "x.go:3",
		Log:   hostile,
		Value: hostile,
		File:  hostile,
		Input: hostile,
		Rerun: "go test " + hostile,
	})
	t.Told = append(t.Told, Told{Message: hostile, Text: hostile, Calls: []engine.Call{{Function: hostile, Place: hostile}}})
	t.Again = append(t.Again, 2)
}

const cut = `
	for (const d of doc.querySelectorAll("details")) d.open = true;
	const cut = [...doc.querySelectorAll("body *")].filter(e => e.checkVisibility() && !e.closest(".unseen, .share") && e.getBoundingClientRect().right > win.innerWidth + 1);
	said.push("cut: " + cut.map(e => e.outerHTML.slice(0, 80)), "foreign: " + doc.querySelectorAll("img, main script").length);
	return said.join("\n");`

// What a reader selects stays selected while figures change, and only what is found is spoken of.
func TestBrowser(t *testing.T) {
	for _, width := range []int{390, 1280} {
		p, path := newPage(t)
		sample(p)
		asked := 0
		got := browser.Run(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/" {
				http.ServeFile(w, r, path)
				return
			}
			asked++
			p.Update(func(s *State) {
				s.Targets[0].Executions += 1000
				if s.Targets[1].Again[0]++; asked == 3 {
					fail(s.Targets[0])
					also := &s.Targets[1].Failures[0].Variants
					*also = append(*also, engine.Failure{Value: hostile, Rerun: hostile})
				}
			})
			require.NoError(t, p.keep())
			http.ServeFile(w, r, path+".js")
		}), width, `
			const text = of => doc.querySelector(of).textContent, said = [];
			await sleep(500);
			const code = doc.querySelector(".failure .command code");
			win.getSelection().selectAllChildren(code);
			const figures = text("#targets article:last-child > p + p"), spoken = text("#said");
			said.push("failing first: " + text("#targets h2") + ", " + text(".head .soft"), "spoken: " + spoken);
			doc.getElementById("said").textContent = "";
			await sleep(1100);
			said.push("still: " + text("#said"));
			await sleep(2000);
			said.push("selected: " + (win.getSelection() + "" === code.textContent), "changed: " + (text("#targets article:last-child > p + p") !== figures));
			said.push("spoken: " + text("#said"), "cards: " + [...doc.querySelectorAll(".head .soft")].map(e => e.textContent));
			said.push("variants: " + doc.querySelectorAll(".failure .variant pre").length);
			said.push("again: " + /^Seen again \d+ times$/.test(text(".again")));
			const color = of => getComputedStyle(doc.querySelector(of)).backgroundColor;
			said.push("legend: " + (color(".share span:nth-child(2)") === color(".shares li:nth-child(2) .swatch") && color(".share span") !== color(".share span:nth-child(2)")));
			said.push("coverage: " + text("#targets").includes("coverage: 3 of 8 blocks (37.5%) of the followed packages") + ", " + text("#targets").includes("1,234"));`+cut)
		require.Equal(t, `failing first: Fuzz1, 1 failure
spoken: Fuzz1 fails at x.go:3.
still: 
selected: true
changed: true
spoken: Fuzz0 fails at x.go:3.
cards: 1 failure,1 failure, running
variants: 1
again: true
legend: true
coverage: true, true
cut: 
foreign: 0`, got, "at %d", width)
		require.NoError(t, p.End())
	}
}

// When the campaign ends, an open page shows all that was shown, and asks nobody any longer.
func TestEnd(t *testing.T) {
	p, path := newPage(t)
	sample(p)
	asked := 0
	got := browser.Run(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/" {
			http.ServeFile(w, r, path)
			return
		}
		if asked++; asked == 2 {
			require.NoError(t, p.End())
		}
		http.ServeFile(w, r, path+".js")
	}), 390, `
		await sleep(4000);
		return await (async (doc, win) => {
		const said = [doc.getElementById("status").textContent.replace(/ .*/, ""), "spoken: " + doc.getElementById("said").textContent];
		said.push([...doc.querySelectorAll(".head .soft")].map(e => e.textContent).join("; "));`+cut+`
		})(frame.contentDocument, frame.contentWindow);`)
	require.Equal(t, "Ended\nspoken: \n1 failure; no failure\ncut: \nforeign: 0", got)
	require.Equal(t, 2, asked)
}
