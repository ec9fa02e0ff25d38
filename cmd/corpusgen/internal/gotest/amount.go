package gotest

import (
	"errors"
	"strconv"
	"strings"
	"time"
)

// An Amount of fuzzing is a value of -fuzztime: a time or a number of
// executions, such as 30s or 1000x. The zero Amount is no limit.
type Amount struct {
	Time       time.Duration
	Executions int64
}

// ParseAmount reads an Amount, which must be positive.
func ParseAmount(s string) (Amount, error) {
	if n, ok := strings.CutSuffix(s, "x"); ok {
		n, err := strconv.ParseInt(n, 10, 64)
		if err != nil || n <= 0 {
			return Amount{}, errors.New("want a positive number of executions, such as 1000x")
		}
		return Amount{Executions: n}, nil
	}
	d, err := time.ParseDuration(s)
	if err != nil || d <= 0 {
		return Amount{}, errors.New("want a positive time or number of executions, such as 30s or 1000x")
	}
	return Amount{Time: d}, nil
}

// IsZero reports whether a is no limit.
func (a Amount) IsZero() bool { return a == Amount{} }

// String returns what [ParseAmount] reads.
func (a Amount) String() string {
	if a.Executions > 0 {
		return strconv.FormatInt(a.Executions, 10) + "x"
	}
	return a.Time.String()
}

// Set is ParseAmount for package flag.
func (a *Amount) Set(s string) (err error) {
	*a, err = ParseAmount(s)
	return err
}
