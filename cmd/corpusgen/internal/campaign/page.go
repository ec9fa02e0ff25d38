package campaign

import (
	"slices"
	"time"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/finding"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/livepage"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
)

// beginPage begins the page of -html.
func (f *fuzzer) beginPage() (err error) {
	if f.html == "" {
		return nil
	}
	if f.page, err = livepage.New(f.html); err != nil {
		return session.UsageError{Msg: "-html: " + err.Error()}
	}
	f.Warn("corpusgen: the campaign is shown in " + f.html + "\n")
	return nil
}

// fillPage shows the targets.
func (f *fuzzer) fillPage() {
	f.page.Update(func(s *livepage.State) {
		if !f.limit.IsZero() {
			s.Limit = f.limit.String()
		}
		for _, t := range slices.Concat(f.targets, f.unbuilt) {
			t.shown = &livepage.Row{
				Package: t.pkg().Path,
				Name:    t.name,
				Figures: livepage.Figures{Unfit: t.unfit},
			}
			if t.record != nil {
				t.shown.History = slices.Clone(t.record.Campaigns)
			}
			s.Targets = append(s.Targets, t.shown)
		}
	})
}

// record records the campaign.
func (f *fuzzer) record() {
	for _, t := range f.targets {
		s := summarize(t)
		if s.Executions == 0 {
			continue
		}
		t.record.end(livepage.Campaign{
			Ended:    time.Now().Round(time.Second),
			Counts:   s.Counts,
			Failures: len(s.Failures),
		})
		f.warn(t, t.state.Save())
	}
}

// show shows the state of a target on the page. The caller holds the lock.
func (f *fuzzer) show(t *fuzzTarget, running bool) {
	if f.page == nil {
		return
	}
	s := summarize(t)
	again := t.tally.Again(s.Failures)
	f.page.Update(func(state *livepage.State) {
		t.shown.Running, t.shown.Status, t.shown.Figures, t.shown.Again = running, t.status,
			s.Figures, again
		for _, failure := range s.Failures[min(len(t.shown.Told), len(s.Failures)):] {
			t.shown.Told = append(t.shown.Told, livepage.Told{
				Message: finding.Message(failure.Log),
				Text:    asText(failure.Input),
				Calls:   finding.Calls(failure.Log),
			})
		}
		t.shown.Add(livepage.Point{
			Seconds:    time.Since(state.Started).Seconds(),
			Executions: s.Executions,
			Found:      s.Found,
			Covered:    s.Covered,
		})
	})
}
