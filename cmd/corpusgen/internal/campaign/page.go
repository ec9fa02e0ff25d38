package campaign

import (
	"slices"
	"time"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/live"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
)

// servePage serves the page of -http.
func (f *fuzzer) servePage() (err error) {
	if f.Http == "" {
		return nil
	}
	if f.page, err = live.Serve(f.Http); err != nil {
		return session.UsageError{Msg: "-http: " + err.Error()}
	}
	f.out.Warn("corpusgen: the campaign is shown at " + f.page.URL + "\n")
	return nil
}

// fillPage shows the targets.
func (f *fuzzer) fillPage() {
	if f.page == nil {
		return
	}
	f.page.Update(func(s *live.State) {
		if !f.Limit.IsZero() {
			s.Limit = f.Limit.String()
		}
		for _, t := range slices.Concat(f.targets, f.unbuilt) {
			t.shown = &live.Target{Package: t.pkg().Path, Name: t.name, Figures: live.Figures{Unfit: t.unfit}}
			s.Targets = append(s.Targets, t.shown)
		}
	})
}

// closePage ends the page, which keeps what it shows.
func (f *fuzzer) closePage() {
	if f.page != nil {
		_ = f.page.Close()
	}
}

// show shows the state of a target on the page. The caller holds the lock.
func (f *fuzzer) show(t *fuzzTarget, running bool) {
	if f.page == nil {
		return
	}
	figures := summarize(t).Figures
	f.page.Update(func(state *live.State) {
		t.shown.Running, t.shown.Status, t.shown.Figures = running, t.status, figures
		t.shown.Add(live.Point{Seconds: time.Since(state.Started).Seconds(), Executions: figures.Executions, Found: figures.Found})
	})
}
