package campaign

import (
	"slices"
	"time"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/live"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
	"github.com/espalier-go/espalier/internal/engine"
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
			s.Targets = append(s.Targets, &live.Target{Package: t.pkg().Path, Name: t.name, Unfit: t.unfit})
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
	s := summarize(t)
	f.page.Update(func(state *live.State) {
		for _, shown := range state.Targets {
			if shown.Name != t.name || shown.Package != t.pkg().Path {
				continue
			}
			shown.Running, shown.Status, shown.Unfit = running, t.status, t.unfit
			shown.Executions, shown.Values, shown.Found, shown.Entries = s.Executions, s.Values, s.Found, s.Entries
			shown.Seconds, shown.CPUSeconds = s.Seconds, s.CPUSeconds
			shown.Operators = append([]engine.OperatorStats{}, s.Operators...)
			shown.Failures = append([]engine.Failure{}, t.failures...)
			shown.Add(live.Point{Seconds: time.Since(state.Started).Seconds(), Executions: s.Executions, Found: s.Found})
		}
	})
}
