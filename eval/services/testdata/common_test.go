package services

import (
	"bufio"
	"bytes"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq"
	"github.com/espalier-go/espalier/contrib/openapi"
)

func TestService(t *testing.T) { openapi.Check(t, description(t), newHandler, options(t)...) }
func FuzzService(f *testing.F) { openapi.Fuzz(f, description(f), newHandler, options(f)...) }

func FuzzBytes(f *testing.F) {
	out := skipped(f)
	for _, operation := range description(f).Operations() {
		if slices.Contains(out, operation) {
			continue
		}
		method, path, _ := strings.Cut(operation, " ")
		f.Add(fmt.Appendf(nil, "%s %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"+
			"Content-Length: 2\r\n\r\n{}", method, base+path))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(b)))
		if err != nil {
			return
		}
		newHandler(t).ServeHTTP(httptest.NewRecorder(), r)
	})
}

// TestRandom is a client that learns nothing from responses: single requests of package openapi, of
// random operations. Some go to the same service. The environment says for how much CPU time, and to
// which file it writes the classes of failures.
func TestRandom(t *testing.T) {
	limit, err := time.ParseDuration(os.Getenv("SERVICES_CPU"))
	if err != nil {
		t.Skip("it is for the command services: ", err)
	}
	var handler http.Handler
	again := func(testing.TB) http.Handler { return handler }
	var models []*callseq.Model
	spec, usual := description(t), options(t)
	for _, operation := range spec.Operations() {
		m, err := spec.Model(again, append(slices.Clone(usual), openapi.Only(operation))...)
		if err == nil { // and else options leave it out
			models = append(models, m)
		}
	}
	if len(models) == 0 {
		t.Fatal("no operation can be called")
	}
	found := map[string]bool{}
	random := rand.New(rand.NewPCG(1, 0))
	for cpuTime() < limit {
		t.Run("", func(t *testing.T) {
			handler = newHandler(t)
			for range requestsOfService {
				m := models[random.IntN(len(models))]
				if calls := bigen.Sample(m.Gen(), random); len(calls) > 0 {
					found[classOf(t, m, calls[:1])] = true
				}
			}
		})
	}
	delete(found, "")
	var classes []string
	for class := range found {
		classes = append(classes, class)
	}
	slices.Sort(classes)
	if err := os.WriteFile(os.Getenv("SERVICES_CLASSES"), []byte(strings.Join(classes, "\n")), 0o666); err != nil {
		t.Fatal(err)
	}
}

// requestsOfService is how many requests of a random client go to one service: as many as a sequence
// has.
const requestsOfService = 12

func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// A judge is a test that keeps the class of its failure.
type judge struct {
	testing.TB
	class  string
	failed bool
}

func (j *judge) Helper()               {}
func (j *judge) Failed() bool          { return j.failed }
func (j *judge) Class(name string)     { j.class = name }
func (j *judge) Log(...any)            {}
func (j *judge) Logf(string, ...any)   {}
func (j *judge) Error(...any)          { j.failed = true }
func (j *judge) Errorf(string, ...any) { j.failed = true }
func (j *judge) Fatal(...any)          { j.failed = true; runtime.Goexit() }
func (j *judge) Fatalf(string, ...any) { j.failed = true; runtime.Goexit() }

// classOf runs calls, and returns the class of their failure, or "".
func classOf(t *testing.T, m *callseq.Model, calls callseq.Calls) string {
	j := &judge{TB: t}
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() {
			if p := recover(); p != nil {
				j.failed, j.class = true, fmt.Sprintf("panic: %v", p)
			}
		}()
		m.Run(j, calls)
	}()
	if <-done; !j.failed {
		return ""
	}
	return j.class
}
