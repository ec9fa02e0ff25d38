package targets

import (
	"encoding/binary"
	"fmt"
	"os"
	"syscall"
	"testing"
	"unsafe"
)

// tallyEnv is the environment variable that names the file of a tally.
const tallyEnv = "ESPALIER_TALLY"

// A Tally counts the values that a property has been run on, in memory that is a file's:
// so the count is known also of a process that was killed, and a new worker continues
// with it. Once a property fails, the process ends.
type Tally struct {
	*record
}

type record struct{ values, found uint64 }

const recordSize = int(unsafe.Sizeof(record{}))

// NewTally makes the file for the tally of a process that gets the environment
// returned, too.
func NewTally(path string) (env string, err error) {
	return tallyEnv + "=" + path, os.WriteFile(path, make([]byte, recordSize), 0o666)
}

// ReadTally returns the number of values, and whether one has failed.
func ReadTally(path string) (values uint64, found bool, err error) {
	b, err := os.ReadFile(path)
	if err != nil || len(b) != recordSize {
		return 0, false, fmt.Errorf("%s is not a tally: %w", path, err)
	}
	return binary.NativeEndian.Uint64(b), binary.NativeEndian.Uint64(b[8:]) != 0, nil
}

// Open opens the tally that the environment names, if any.
func (n *Tally) Open() {
	path := os.Getenv(tallyEnv)
	if path == "" {
		n.record = new(record)
		return
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		panic(err)
	}
	defer f.Close()
	b, err := syscall.Mmap(int(f.Fd()), 0, recordSize, syscall.PROT_READ|syscall.PROT_WRITE,
		syscall.MAP_SHARED)
	if err != nil {
		panic(err)
	}
	n.record = (*record)(unsafe.Pointer(&b[0])) // pages are aligned, and b is as large
}

// Count counts one more value and returns what its property gets.
func (n *Tally) Count(t testing.TB) testing.TB {
	if n.found == 0 { // corpusgen mutate resumes in another process
		n.values++
	}
	return failure{t, n.record}
}

// failure ends the process when the property fails.
type failure struct {
	testing.TB
	*record
}

func (f failure) end() {
	f.found = 1
	os.Exit(1)
}

func (f failure) Error(...any)          { f.end() }
func (f failure) Errorf(string, ...any) { f.end() }
func (f failure) Fatal(...any)          { f.end() }
func (f failure) Fatalf(string, ...any) { f.end() }
func (f failure) Fail()                 { f.end() }
func (f failure) FailNow()              { f.end() }
