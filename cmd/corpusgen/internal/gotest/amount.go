package gotest

import (
	"errors"
	"strconv"
	"strings"
	"time"
)

// An Amount of fuzzing is a value of -fuzztime: a time or a number of
// executions, such as 30s or 1000x. The zero Amount means no limit.
type Amount struct {
	Time       time.Duration
	Executions int64
}

// Set reads an Amount, which must be positive.
func (a *Amount) Set(s string) (err error) {
	*a = Amount{}
	if n, ok := strings.CutSuffix(s, "x"); ok {
		if a.Executions, err = strconv.ParseInt(n, 10, 64); err != nil || a.Executions <= 0 {
			return errors.New("want a positive number of executions, such as 1000x")
		}
	} else if a.Time, err = time.ParseDuration(s); err != nil || a.Time <= 0 {
		return errors.New("want a positive time or number of executions, such as 30s or 1000x")
	}
	return nil
}

// IsZero reports whether a means no limit.
func (a Amount) IsZero() bool { return a == Amount{} }

// String returns what [Amount.Set] reads.
func (a Amount) String() string {
	if a.Executions > 0 {
		return strconv.FormatInt(a.Executions, 10) + "x"
	}
	return a.Time.String()
}
