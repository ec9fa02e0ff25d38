package api_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq/api"
	"github.com/stretchr/testify/require"
)

// Tests compare nothing that depends on the date, the time zone or the home directory, also if they
// notice a change by it. What waits for another goroutine stays.
func TestTravel(t *testing.T) {
	changes := api.NewChanges()
	questions, answers := make(chan int), make(chan int)
	go func() {
		for n := range questions {
			answers <- n
		}
	}()
	defer close(questions)
	ask := func(n int) int {
		questions <- n
		return <-answers
	}
	ops := []struct {
		name string
		call func(n int) any
		same bool // everywhere
	}{
		{"year", func(n int) any { return time.Now().Year() + n }, false},
		{"hour", func(n int) any { return time.Unix(int64(n), 0).Hour() }, false},
		{"home", func(n int) any { home, _ := os.UserHomeDir(); return strings.Repeat(home, n) }, false},
		{"old", func(n int) any { return time.Since(time.Unix(1e9, 0)) > time.Duration(n)*time.Hour }, false},
		{"slow", func(n int) any { time.Sleep(time.Duration(n) * time.Microsecond); return n }, true},
		{"ask", func(n int) any { return ask(n) }, true},
		{"panics", func(n int) any { return "0123"[time.Now().Year()-2001+n] }, false},
	}
	for _, op := range ops {
		a := api.New(func(c *api.C) {
			ints := api.Type(c, "int", api.Literals(bigen.IntRange(1, 9)))
			c.Op(op.name, func() {
				n := ints.Arg("n")
				c.Do(func() {
					v := op.call(n.V)
					if changes.Made(1) {
						v = n.V + 100
					}
					c.Got(v)
				})
			})
		})
		var code string
		for _, test := range changes.SelectAnywhere(a, 2, calls{{op.name, 1}}) {
			code += test.Code
		}
		if op.same {
			require.Contains(t, code, op.name+"(1); got1 != 1")
		} else {
			require.NotContains(t, code, "got1", op.name)
		}
	}
	require.NotEqual(t, "/home/elsewhere", os.Getenv("HOME"))
	require.Equal(t, "Local", time.Local.String())
}
