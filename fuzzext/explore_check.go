package fuzzext

import (
	"strings"
	"testing"
	"time"
)

// checkTarget begins the names of the fuzz targets that corpusgen fuzz adds to a package: one
// for each test that calls Check. Such a target sets checkInput and calls the test.
const checkTarget = "Fuzz_"

// checkInput is the input of the execution in which a target of checkTarget runs.
var checkInput []byte

// checks are the explorations of the Checks of this process.
var checks checkExplorations

// A checkExplorations holds the explorations of Checks by the names of their tests. A test
// may call Check in several subtests. Then the executions take turns.
type checkExplorations struct {
	names     []string
	byName    map[string]*exploration
	execution time.Time // the Until of the last execution
	turn      int
}

// exploreCheck explores the property of a Check, if this process does so for corpusgen fuzz.
// It reports false if it does not.
func exploreCheck(t testing.TB, x *spec) bool {
	test, ok := strings.CutPrefix(t.Name(), checkTarget)
	if !ok || engineLink == nil || !fuzzing() {
		return false
	}
	found := x.target()
	found.name, _, _ = strings.Cut(test, "/")
	x.target = func() target { return found }
	e := checks.byName[test]
	known := e != nil
	if !known {
		limitStack()
		e = newExploration(engineLink, x, checkOrderHome(x.target, x.call, test))
		checks.addTest(test, e)
	}
	if checks.hasTurn(test) || !known {
		e.spec = x // the test may have made a new one of what the property uses
		e.execute(t, checkInput)
	}
	return true
}

func (c *checkExplorations) addTest(test string, e *exploration) {
	if c.byName == nil {
		c.byName = map[string]*exploration{}
	}
	c.names, c.byName[test] = append(c.names, test), e
}

// hasTurn reports whether it is the turn of a test in this execution.
func (c *checkExplorations) hasTurn(test string) bool {
	if !engineLink.Until.Equal(c.execution) {
		c.execution = engineLink.Until
		c.turn++
	}
	return c.names[c.turn%len(c.names)] == test
}
