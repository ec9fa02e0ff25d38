package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"syscall"
	"time"

	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/bigenpb"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/contrib/protovalidate"
)

const (
	mostCPU      = 20 * time.Second // to make the values of a message, and to validate them
	mostClock    = 10 * time.Minute // for a message: after that, the study ends
	mostFailures = 3                // of the values of a message, in the report
)

// A result is what became of a message.
type result struct {
	refused        string   // what deriving its generator says
	instances      []string // what is wrong with each
	made, rejected int      // values
	invalid        int      // values, as protovalidate sees them
	failures       []string
	cpu            time.Duration
}

// measure does what the study does with a message.
func (m *message) measure(o options) (r result) {
	alarm := time.AfterFunc(mostClock, func() {
		fmt.Fprintf(os.Stderr, "protorules: %s: it hangs\n", m.name())
		os.Exit(1)
	})
	defer alarm.Stop()
	begun := cpu()
	defer func() { r.cpu = cpu() - begun }()
	g, err := m.generator(o.cel)
	if err != nil {
		r.refused = err.Error()
		return r
	}
	for _, i := range m.instances {
		r.instances = append(r.instances, i.judge(g))
	}
	for n := range 10 * o.values {
		if r.made == o.values || cpu()-begun > mostCPU {
			break
		}
		v, _, err := bigen.Run(g, choices.Random(rand.New(rand.NewPCG(uint64(o.seed+n), 0))))
		if errors.Is(err, bigen.ErrRejected) {
			r.rejected++
			continue
		}
		if r.made++; err == nil {
			err = m.validator.Validate(v)
		}
		if err != nil {
			if r.invalid++; len(r.failures) < mostFailures {
				r.failures = append(r.failures, fmt.Sprintf("seed %d: %.200s: %v", o.seed+n, show(v), err))
			}
		}
	}
	return r
}

// generator derives the generator of a message, with the rules in CEL or without them.
func (m *message) generator(cel bool) (g bigen.Gen[*dynamicpb.Message], err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%v", p)
		}
	}()
	if cel {
		return bigenpb.Dynamic(m.desc, protovalidate.Rules(m.validator)), nil
	}
	return bigenpb.Dynamic(m.desc), nil
}

// judge says what is wrong with what a generator does with an instance.
func (i instance) judge(g bigen.Gen[*dynamicpb.Message]) string {
	err := bigen.Check(g, i.value)
	switch {
	case i.want != valid && err == nil:
		return fmt.Sprintf("invalid, and the generator makes it: %.200s", show(i.value))
	case i.want != valid:
		return ""
	case err != nil:
		return fmt.Sprintf("valid, and the generator does not make it: %.200s: %v", show(i.value), err)
	}
	b, err := bigen.Encode(g, i.value)
	if err != nil {
		return "Encode: " + err.Error()
	}
	again, err := bigen.Decode(g, b)
	if err != nil || !proto.Equal(i.value, again) {
		return fmt.Sprintf("Encode and Decode make {%v} of {%v}: %v", again, i.value, err)
	}
	return ""
}

func show(m *dynamicpb.Message) string { return "{" + prototext.Format(m) + "}" }

func cpu() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
