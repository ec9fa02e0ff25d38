package campaign

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
)

// A growth watches when a target last found something new.
type growth struct {
	found      int64
	seconds    float64 // of fuzzing, until then
	executions int64   // until then
}

// A Drought is a time in which a target has found nothing new.
type Drought struct {
	Seconds    float64 // of fuzzing
	Executions int64
	// PerHour is how many entries another hour would bring at most, with a confidence of 95 %, if
	// inputs went on as before.
	PerHour float64
}

// see notes how far a target has got. It returns the time since it last found something.
func (g *growth) see(found, executions int64, seconds float64) Drought {
	if found != g.found || executions < g.executions || g.seconds == 0 {
		g.found, g.executions, g.seconds = found, executions, seconds
	}
	d := Drought{Seconds: seconds - g.seconds, Executions: executions - g.executions}
	if d.Executions > 0 && d.Seconds > 0 {
		// In n inputs none was new: with that confidence, fewer than 3/n of them are.
		d.PerHour = 3 * time.Hour.Seconds() / d.Seconds
	}
	return d
}

func (d Drought) String() string {
	return fmt.Sprintf("nothing new in %v and %s; another hour would bring fewer than %s entries, "+
		"at 95%% confidence", time.Duration(d.Seconds*float64(time.Second)).Round(time.Second),
		session.Count(int(d.Executions), "execution", "executions"),
		strconv.FormatFloat(max(math.Ceil(d.PerHour), 1), 'f', -1, 64))
}
