package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"strings"
	"syscall"
	"time"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/jsonschema"
	"github.com/espalier-go/espalier/choices"
)

const (
	mostCPU      = 10 * time.Second // to read a schema and make its values
	mostClock    = 6 * mostCPU      // to make its values and validate them
	mostFailures = 3                // of the values of a schema, in the report
)

// A job is a schema to measure.
type job struct {
	Schema    string
	Draft     int  // of a schema that does not say
	Format    bool // the keyword format is an assertion
	Second    bool // the second validator validates, too
	Instances []instance
	Values    int
	Seed      int
	Remotes   remotes
}

// An instance is a value of a test.
type instance struct {
	Description string
	Data        json.RawMessage
	Valid       bool
}

// A remote is where schemas are whose URLs have a prefix: in a file, or a directory, or here.
type remote struct{ Prefix, File, Text string }

type remotes []remote

func (rs remotes) load(url string) (string, error) {
	url, _, _ = strings.Cut(url, "#")
	for _, r := range rs {
		rest, ok := strings.CutPrefix(url, r.Prefix)
		if ok && r.Text != "" {
			return r.Text, nil
		} else if ok {
			if text, err := os.ReadFile(r.File + rest); err == nil {
				return string(text), nil
			}
		}
	}
	return "", fmt.Errorf("no remote file %s", url)
}

// A result is what became of a job.
type result struct {
	Died, Slow, Panic string // why it ended early
	Accepted          bool   // by Parse, unless it ended early before that
	Refused           string // the error of Parse
	NoRemote          string // a URL for which there is no file
	NoValidator       string // the error of the independent validator
	Instances         []string
	Made, Rejected    int
	Valid, Invalid    int // values, as the validators see them
	Disagreed         int // values, on which the validators disagree
	Failures          []string
	Disagree          []string
	Misjudged         []string      // instances, by the validators
	CPU               time.Duration // of Parse, and of the values
	Parse             time.Duration
	Bytes             int // of the values
}

// measure does a job. It tells each step before it takes it.
func (j job) measure(step func(string)) (r result) {
	load := func(url string) (string, error) {
		text, err := j.Remotes.load(url)
		if err != nil {
			r.NoRemote = url
		}
		return text, err
	}
	opts := []jsonschema.Option{jsonschema.Draft(j.Draft), jsonschema.Remote(load)}
	if j.Format {
		opts = append(opts, jsonschema.AssertFormat())
	}
	step("validators")
	v, err := newValidators(j)
	if err != nil {
		r.NoValidator = err.Error()
	}
	for _, i := range j.Instances {
		if what := v.judge(i); what != "" {
			r.Misjudged = append(r.Misjudged, i.Description+": "+what)
		}
	}
	step("Parse")
	var g bigen.Gen[any]
	r.Parse = spend(&r.Panic, "Parse", func() { g, err = jsonschema.Parse(j.Schema, opts...) })
	r.CPU = r.Parse
	if err != nil {
		r.Refused = err.Error()
	}
	if r.Panic != "" || r.Refused != "" {
		return r
	}
	r.Accepted = true
	for _, i := range j.Instances {
		step("instance " + strings.Join(strings.Fields(i.Description), " "))
		what := ""
		spend(&what, "instance", func() { what = i.judge(g) })
		r.Instances = append(r.Instances, what)
	}
	begun := time.Now()
	for seed := range 10 * j.Values {
		if r.Made == j.Values || r.Panic != "" {
			break
		}
		if r.CPU > mostCPU || time.Since(begun) > mostClock {
			r.Slow = fmt.Sprintf("%d values in %v of CPU time, and %v with validation",
				r.Made, r.CPU.Round(time.Millisecond), time.Since(begun).Round(time.Second))
			break
		}
		step("a value")
		j.value(&r, g, v, uint64(j.Seed+seed))
	}
	return r
}

// value makes a value, and judges it.
func (j job) value(r *result, g bigen.Gen[any], v validators, seed uint64) {
	fail := func(format string, args ...any) {
		if len(r.Failures) < mostFailures {
			r.Failures = append(r.Failures, fmt.Sprintf("seed %d: ", seed)+fmt.Sprintf(format, args...))
		}
	}
	var value any
	var err error
	r.CPU += spend(&r.Panic, fmt.Sprintf("the value of seed %d", seed), func() {
		value, _, err = bigen.Run(g, choices.Random(rand.New(rand.NewPCG(seed, 0))))
	})
	switch {
	case r.Panic != "":
		return
	case errors.Is(err, bigen.ErrRejected):
		r.Rejected++
		return
	case err != nil:
		r.Invalid++
		fail("Run: %v", err)
		return
	}
	r.Made++
	text, err := json.Marshal(value)
	var again any
	if err == nil {
		err = json.Unmarshal(text, &again)
	}
	if r.Bytes += len(text); err != nil || !reflect.DeepEqual(value, again) {
		fail("%.200s does not survive JSON: %#.200v: %v", text, value, err)
		r.Invalid++
		return
	}
	invalid, disagree := v.validate(text, again)
	switch {
	case disagree != "":
		if r.Disagreed++; len(r.Disagree) < mostFailures {
			r.Disagree = append(r.Disagree, fmt.Sprintf("seed %d: %.200s: %s", seed, text, disagree))
		}
	case invalid != "":
		r.Invalid++
		fail("%.200s is invalid: %.300s", text, invalid)
	case v.first != nil:
		r.Valid++
	}
}

// judge says what is wrong with what a generator does with an instance.
func (i instance) judge(g bigen.Gen[any]) string {
	var v any
	if err := json.Unmarshal(i.Data, &v); err != nil {
		return err.Error()
	}
	err := bigen.Check(g, v)
	switch {
	case !i.Valid && err == nil:
		return "invalid, and the generator makes it"
	case !i.Valid:
		return ""
	case err != nil:
		return "valid, and the generator does not make it: " + err.Error()
	}
	b, err := bigen.Encode(g, v)
	if err != nil {
		return "Encode: " + err.Error()
	}
	if again, err := bigen.Decode(g, b); err != nil || !reflect.DeepEqual(v, again) {
		return fmt.Sprintf("Encode and Decode make %#.200v of it: %v", again, err)
	}
	return ""
}

// spend calls f, and returns the CPU time that this process has used meanwhile. If f panics, failure
// says so.
func spend(failure *string, what string, f func()) (spent time.Duration) {
	before := cpu()
	defer func() {
		spent = cpu() - before
		if p := recover(); p != nil {
			*failure = fmt.Sprintf("%s: it panics: %v", what, p)
		}
	}()
	f()
	return 0
}

func cpu() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
