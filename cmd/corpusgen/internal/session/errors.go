package session

import (
	"errors"
	"fmt"
	"os"
)

var (
	// ErrReported ends a command that has printed its errors.
	ErrReported = errors.New("reported")
	// ErrHelp ends a command that was asked for its usage.
	ErrHelp = errors.New("help requested")
)

// An UsageError is a mistake in the command line.
type UsageError struct{ Msg string }

func (e UsageError) Error() string { return e.Msg }

// Usagef returns a [UsageError].
func Usagef(format string, args ...any) error { return UsageError{fmt.Sprintf(format, args...)} }

// Complain prints an error to standard error.
func Complain(format string, args ...any) {
	Print(os.Stderr, fmt.Sprintf("corpusgen: "+format+"\n", args...))
}

// EachError calls f for each of the errors that err joins.
func EachError(err error, f func(error)) {
	joined, ok := err.(interface{ Unwrap() []error })
	switch {
	case err == nil:
	case !ok:
		f(err)
	default:
		for _, err := range joined.Unwrap() {
			EachError(err, f)
		}
	}
}

// A StatusError ends a command with an exit status of its own. Err is the error that it has with
// the usual one.
type StatusError struct {
	Status int
	Err    error
}

func (e StatusError) Error() string { return e.Err.Error() }

func (e StatusError) Unwrap() error { return e.Err }
