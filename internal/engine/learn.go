package engine

import (
	"bytes"
	"slices"
	"strconv"
)

// compare learns from the comparisons of the input that has run, which is the entry or was
// made from it.
func (x *Prober) compare(trace *Trace, entry int, kept bool) {
	base := x.work.clone()
	c := comparer{r: &x.r, base: base, parent: entry}
	x.compared = trace.Texts(x.compared[:0])
	numbers := trace.Numbers()
	equal := equalSites(x.compared, numbers)
	mending := x.mend != nil && !kept
	broken := func(at uint64) bool {
		_, is := slices.BinarySearch(equal, at)
		_, was := slices.BinarySearch(x.mend, at)
		return was && !is
	}
	clear(x.recent[:])

	for i := len(x.compared) - 1; i >= 0; i-- {
		t := &x.compared[i]
		h := mix(t.Site)
		for _, b := range [...][]byte{t.A, t.B} {
			h = mix(h ^ uint64(len(b)))
			for _, b := range b {
				h = mix(h ^ uint64(b))
			}
		}
		s := x.profile.site(t.Site)
		if s == nil || x.repeated(h) {
			continue
		}
		if string(t.A) == string(t.B) {
			s.equal = true
			continue
		}
		if x.worth(s, mending && broken(t.Site), mending) && !c.full() {
			c.texts(t.A, t.B)
			c.texts(t.B, t.A)
			x.learn(t.A)
			x.learn(t.B)
		}
	}
	searched := 0
	for i := len(numbers) - 1; i >= 0; i-- {
		n := &numbers[i]
		s := x.profile.site(n.Site)
		if s == nil || x.repeated(mix(mix(n.Site^n.A)^n.B)) {
			continue
		}
		size := int(n.Size)
		if size != 1 && size != 2 && size != 4 {
			size = 8
		}
		a, b := extend(n.A, 8*size, false), extend(n.B, 8*size, false)
		if a == b {
			s.equal = true
			continue
		}
		if n.Const && !s.learned {
			s.learned = true
			x.constant(a, size)
		}
		if searched < maxComparisons && x.worth(s, mending && broken(n.Site), mending) && !c.full() {
			searched++
			c.numbers(b, a, size)
			if !n.Const {
				c.numbers(a, b, size)
			}
		}
	}
	if mending {
		c.others = nil
	}
	// The longer this has taken, the later it is done again.
	x.untraced -= 8 * (searched/32 + len(numbers)/256)
	x.await(patches{list: append(c.exact, c.others...), equal: equal, mends: mending, size: base.size()})
	if !kept {
		x.period = min(x.period+1, 8*maxTracePeriod)
	}
}

// repeated reports whether the comparison was seen recently.
func (x *Prober) repeated(h uint64) bool {
	slot := &x.recent[h%uint64(len(x.recent))]
	old := *slot
	*slot = h
	return old == h
}

// worth reports whether to make patches for a comparison. They are made now and then if
// they have been made often, or if the operands have been equal. To mend a patch, they are
// made only for what the patch has broken, or reached for the first time.
func (x *Prober) worth(s *site, broken, mending bool) bool {
	s.searched++
	if mending {
		return broken || s.searched == 1
	}
	if s.equal && !x.r.oneIn(4) {
		return false
	}
	return s.searched < 256 || x.r.oneIn(16)
}

// learn puts a text into the dictionary.
func (x *Prober) learn(b []byte) {
	if len(b) == 0 {
		return
	}
	// A text that the input has need not be put into it.
	for i := range x.work {
		if f := &x.work[i]; f.kind.text() && len(f.bytes) < 1<<12 && bytes.Contains(f.bytes, b) {
			return
		}
	}
	x.tokens.add(string(b), &x.r)
}

// constant puts a number into the dictionaries.
func (x *Prober) constant(u uint64, size int) {
	x.numbers.add(extend(u, 8*size, true), &x.r)
	if size == 1 {
		return
	}
	for i := range x.work {
		f := &x.work[i]
		if !f.kind.text() {
			continue
		}
		if t := (text{b: f.bytes}); t.ascii() {
			var buf [20]byte
			x.tokens.add(string(strconv.AppendInt(buf[:0], int64(extend(u, 8*size, true)), 10)), &x.r)
		}
		for size > 2 && fits(u, size/2, size) {
			size /= 2
		}
		var at [8]byte
		for _, order := range [...]byteOrder{false, true} {
			order.put(at[:size], u)
			x.tokens.add(string(at[:size]), &x.r)
		}
		return
	}
}

// await queues patches. If there are too many, it drops the oldest.
func (x *Prober) await(p patches) {
	if len(p.list) == 0 {
		return
	}
	x.waiting = append(x.waiting, p)
	x.patches += len(p.list)
	x.waitingSize += p.size
	for x.patches > maxWaiting || x.waitingSize > maxWaitingSize && len(x.waiting) > 1 {
		x.patches -= len(x.waiting[0].list)
		x.waitingSize -= x.waiting[0].size
		x.waiting = slices.Delete(x.waiting, 0, 1)
	}
}

// equalSites returns, in order, where operands have been equal.
func equalSites(texts []TextComparison, numbers []NumberComparison) (sites []uint64) {
	for i := range texts {
		if t := &texts[i]; string(t.A) == string(t.B) {
			sites = append(sites, t.Site)
		}
	}
	for i := range numbers {
		if n := &numbers[i]; n.A == n.B {
			sites = append(sites, n.Site)
		}
	}
	slices.Sort(sites)
	return slices.Compact(sites)
}
