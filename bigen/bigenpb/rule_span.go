package bigenpb

import (
	"cmp"
	"time"

	"github.com/espalier-go/espalier/bigen"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// ruledSpan makes the Durations or Timestamps that keep rules, of up to usualSpan around zero
// unless rules want others. If rules name the present time, it is the zero: choices say how far from
// it a Timestamp is, so that a saved input is as far from the present whenever it runs.
func ruledSpan(
	f protoreflect.FieldDescriptor, t protoreflect.MessageType, all rules,
) bigen.Gen[any] {
	r, last, most := all.sub(durationRules), protowire.Number(8), instant{315_576_000_000, 1e9 - 1}
	least := instant{-most.Second - 1, 1}
	timestamp := t.Descriptor().Name() == "Timestamp"
	var zero instant
	if timestamp {
		r, last = all.sub(timestampRules), 6 // lt_now is 7
		least, most = instant{-62_135_596_800, 0}, instant{253_402_300_799, 1e9 - 1}
		if r.on(ltNow) || r.on(gtNow) || r.has(within) {
			zero = instant{time.Now().Unix(), 0}
		}
	}
	numbers := rules{fields: map[protowire.Number][]ruleValue{}}
	usual := true
	for number := protowire.Number(2); number <= last; number++ { // one more than in rules of numbers
		numbers.fields[number-1] = r.fields[number]
		for _, v := range r.fields[number] {
			at := instantOf(v).minus(zero)
			usual = usual && -usualSpan < at.Second && at.Second < usualSpan
		}
	}
	least, most = least.minus(zero), most.minus(zero)
	if usual {
		least, most = instant{-usualSpan, 0}, instant{usualSpan, 0}
	}
	if timestamp {
		least, most = aroundNow(r, least, most)
	}
	instants := scale[instant]{
		of:   func(v ruleValue) instant { return instantOf(v).minus(zero) },
		next: instant.next, compare: instant.compare, least: least, most: most,
		all: between(least, most), between: between,
	}
	return spans(t, bigen.Iso(bigen.ForSchema(instants.ruled(numbers).schema(string(f.FullName()))),
		func(v any) span { return v.(instant).minus(instant{}.minus(zero)).span(timestamp) },
		func(s span) (any, bool) { return s.instant().minus(zero), true }))
}

// Rules of Timestamps about the present time.
const (
	ltNow  = 7
	gtNow  = 8
	within = 9
)

// mostDelay is how long after it was made a Timestamp still keeps rules about the present time, in
// seconds, unless it must be so close to the present that a quarter of that is less.
const mostDelay = 600

// aroundNow returns the bounds of Timestamps, relative to the present time, that keep the rules
// about it.
func aroundNow(r rules, least, most instant) (instant, instant) {
	delay := instant{mostDelay, 0}
	if r.has(within) {
		far := instantOf(r.last(within))
		if far.Second/4 < delay.Second {
			delay = instant{far.Second / 4, 0}
		}
		far = far.minus(delay)
		least, most = later(least, instant{}.minus(far)), sooner(most, far)
	}
	if r.on(gtNow) {
		least = later(least, delay.next(most))
	}
	if r.on(ltNow) {
		most = sooner(most, instant{-1, 0})
	}
	return least, most
}

func later(i, j instant) instant {
	if i.compare(j) < 0 {
		return j
	}
	return i
}

func sooner(i, j instant) instant {
	if i.compare(j) < 0 {
		return i
	}
	return j
}

const usualSpan = 9e9 // seconds, about 285 years

// An instant is a span whose nanoseconds, from 0 to 999,999,999, are after the second.
type instant struct {
	Second int64
	Nano   int32
}

// instantOf returns the instant of a bound.
func instantOf(v ruleValue) instant {
	parts := readRules([]byte(v.bytes), false)
	return span{int64(parts.last(1).bits), int32(parts.last(2).bits)}.instant()
}

func (s span) instant() instant {
	if s.Nanos < 0 {
		return instant{s.Seconds - 1, s.Nanos + 1e9}
	}
	return instant{s.Seconds, s.Nanos}
}

func (i instant) span(timestamp bool) span {
	if i.Second < 0 && i.Nano > 0 && !timestamp {
		return span{i.Second + 1, i.Nano - 1e9}
	}
	return span{i.Second, i.Nano}
}

// minus returns the instant that is as far from zero as i is from j.
func (i instant) minus(j instant) instant {
	i.Second, i.Nano = i.Second-j.Second, i.Nano-j.Nano
	if i.Nano < 0 {
		i.Second, i.Nano = i.Second-1, i.Nano+1e9
	}
	return i
}

func (i instant) compare(j instant) int {
	return cmp.Or(cmp.Compare(i.Second, j.Second), cmp.Compare(i.Nano, j.Nano))
}

func (i instant) next(to instant) instant {
	switch {
	case to.compare(i) < 0 && i.Nano == 0:
		return instant{i.Second - 1, 1e9 - 1}
	case to.compare(i) < 0:
		return instant{i.Second, i.Nano - 1}
	case i.Nano == 1e9-1:
		return instant{i.Second + 1, 0}
	}
	return instant{i.Second, i.Nano + 1}
}

// between makes the instants from one to another.
func between(lo, hi instant) bigen.Gen[instant] {
	return bigen.Struct(func(c *bigen.C, i *instant) {
		bigen.At(c, &i.Second, bigen.IntRange(lo.Second, hi.Second))
		var first, last int32 = 0, 1e9 - 1
		if i.Second == lo.Second {
			first = lo.Nano
		}
		if i.Second == hi.Second {
			last = hi.Nano
		}
		bigen.At(c, &i.Nano, bigen.IntRange(first, last))
	})
}
