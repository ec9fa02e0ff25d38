package engine

import (
	"bytes"
	"slices"
)

// A Patch changes one field of an input so that a comparison may have another result.
type Patch struct {
	Field int
	Site  uint64 // where the comparison is made

	at, cut int    // of a text: which bytes are replaced
	with    []byte // of a text
	pad     int    // of a text: bytes to add after with
	num     uint64 // of a number or length

	score int  // how likely it is that this is not an accident, roughly in bits
	exact bool // it makes operands equal
}

// Patched returns the field after a patch.
func (f *Field) Patched(p Patch) Field {
	var g Field
	g.assign(f)
	g.patch(p)
	return g
}

// patch changes the field, in its own memory.
func (f *Field) patch(p Patch) {
	if !f.kind.text() {
		f.set(p.num)
		return
	}
	with := p.with
	if p.pad > 0 {
		c := byte('a')
		if p.at > 0 && f.bytes[p.at-1] < 0x80 {
			c = f.bytes[p.at-1]
		}
		with = append(slices.Clip(with), bytes.Repeat([]byte{c}, p.pad)...)
	}
	f.bytes, f.val = slices.Replace(f.bytes, p.at, p.at+p.cut, with...), nil
}

// patches are the waiting patches of one input.
//
// A patch may make operands unequal that have been equal, as with a checksum. So the prober
// looks at what the first patches do, and mends it with more patches.
type patches struct {
	base   input
	parent int // the entry that base is, or was made from
	list   []Patch
	tried  int
	equal  []uint64 // the sites where operands were equal, in order
	mends  bool     // they mend others
}

const (
	maxWaiting     = 1 << 13 // patches in all
	maxWaitingSize = 1 << 26 // bytes of all inputs that have patches waiting
)

// compare learns from the comparisons of the input that has run, which is the entry or was
// made from it.
func (x *Prober) compare(trace *Trace, entry int, kept bool) {
	mend := x.mend
	if kept {
		mend = nil
	}
	p := patches{base: x.work.clone(), parent: entry, mends: mend != nil}
	var cost int
	p.list, p.equal, cost = x.comparer.patches(p.base, trace, mend)
	x.untraced -= 8 * cost // if this has taken longer, it is done again later
	x.await(p)
	if !kept {
		x.period = min(x.period+1, 8*maxTracePeriod)
	}
}

// await queues patches. If there are too many, it drops the oldest.
func (x *Prober) await(p patches) {
	if len(p.list) == 0 {
		return
	}
	x.waiting = append(x.waiting, p)
	x.patches += len(p.list)
	x.waitingSize += p.base.size()
	for x.patches > maxWaiting || x.waitingSize > maxWaitingSize && len(x.waiting) > 1 {
		x.patches -= len(x.waiting[0].list)
		x.waitingSize -= x.waiting[0].base.size()
		x.waiting = slices.Delete(x.waiting, 0, 1)
	}
}

// patch makes the input of the next patch.
func (x *Prober) patch() {
	last := len(x.waiting) - 1
	w := &x.waiting[last]
	p := w.list[0]
	x.patches--
	x.mend = nil
	if w.tried++; !w.mends && len(w.equal) > 0 && (w.tried <= 64 || x.r.oneIn(4)) {
		x.mend = w.equal
	}
	x.entry = w.parent
	x.work.assign(w.base)
	if w.list = w.list[1:]; len(w.list) == 0 {
		x.waitingSize -= w.base.size()
		x.waiting = slices.Delete(x.waiting, last, last+1)
	}
	x.work[p.Field].patch(p)
	x.used = append(x.used, operandOperator)
}
