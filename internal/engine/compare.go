package engine

import (
	"bytes"
	"slices"
	"strconv"
)

// A Comparer finds out how to change an input so that comparisons in the code under test have
// other results: it puts what the input is compared with where the other operand seems to come
// from. The idea comes from REDQUEEN (Aschermann et al., "Input-to-State Correspondence", NDSS
// 2019). An input is a list of fields. These are the arguments of a target or, in package
// explore, the integers, texts and lengths of a tree of choices.
//
//  1. A number that equals an operand becomes the other operand, or one more or less. It may
//     equal the operand after it has been truncated to the operand's size, incremented,
//     decremented, negated, or after its bytes have been reversed. Then the patch undoes that.
//     Or its digits may be in a text, at the place where the text differs from the other
//     operand.
//  2. In a text, an operand becomes the other one: a text, also in another case, in
//     hexadecimal, or in base64; a number in binary, of any width and byte order, as a
//     character, or in digits. A text that is a part of an operand becomes what is at its
//     place in the other one.
//  3. A text, a word in it, or a sequence, whose length equals an operand, gets the length of
//     the other operand, or one more or less.
//
// The comparer does not look for constants of the program, because no input determines them,
// or for equal operands. Patches come in the order of their scores: a match of many bits is
// less likely to be an accident.
type Comparer struct {
	// bold lets the comparer also make patches that no match suggests. They pay for the
	// few arguments of a target, but not for the many leaves of a tree.
	bold bool

	r        *random
	texts    dictionary[string]
	numbers  dictionary[uint64]
	given    Tokens
	sites    map[uint64]*site
	recent   [1 << 10]uint64 // hashes of comparisons, to skip repeated ones
	compared []TextComparison
	memory   []byte
	patcher  patcher
}

// A site is a comparison in the code.
type site struct {
	equal    bool // the operands have been equal
	learned  bool // its constant is in the dictionary
	searched int  // how often patches were made for it
}

const maxSites = 1 << 12

// NewComparer returns a comparer for the leaves of trees.
func NewComparer(seed uint64) *Comparer { return &Comparer{r: &random{seed}} }

// Give adds what inputs may need without that a comparison says so.
func (c *Comparer) Give(t Tokens) { c.given = t }

// Constants returns what the code compares its input with: texts that the input lacked, and
// constant integers, extended by their sign and by zeros; and what has been given.
func (c *Comparer) Constants() (texts []string, numbers []uint64) {
	return slices.Concat(c.texts.items, c.given.Texts), slices.Concat(c.numbers.items, c.given.Numbers)
}

// Patches returns patches of an input, given the comparisons of its execution.
func (c *Comparer) Patches(in []Field, trace *Trace) []Patch {
	list, _, _ := c.patches(in, trace, nil)
	return list
}

// patches also returns the sites where operands were equal, in order, and how long this has
// taken, in executions. If mend is not nil, it lists sites where operands should have been
// equal: then patches returns only patches for these sites, and for sites that were reached for
// the first time.
func (c *Comparer) patches(
	in input, trace *Trace, mend []uint64,
) (list []Patch, equal []uint64, cost int) {
	c.patcher.start(in, c)
	c.compared = trace.Texts(c.compared[:0])
	numbers := trace.Numbers()
	equal = equalSites(c.compared, numbers)
	clear(c.recent[:])
	for i := len(c.compared) - 1; i >= 0; i-- {
		c.compareTexts(in, &c.compared[i], equal, mend)
	}
	searched := 0
	for i := len(numbers) - 1; i >= 0; i-- {
		if c.compareNumbers(in, &numbers[i], equal, mend, searched < maxComparisons) {
			searched++
		}
	}
	return c.patcher.done(mend != nil), equal, searched/32 + len(numbers)/256
}

// compareTexts makes patches for two texts.
func (c *Comparer) compareTexts(in input, t *TextComparison, equal, mend []uint64) {
	h := mix(t.Site)
	for _, b := range [...][]byte{t.A, t.B} {
		h = mix(h ^ uint64(len(b)))
		for _, b := range b {
			h = mix(h ^ uint64(b))
		}
	}
	s := c.site(t.Site, h, string(t.A) == string(t.B))
	if s == nil || !c.worth(s, t.Site, equal, mend) || !c.patcher.begin(t.Site, 0) {
		return
	}
	c.patcher.texts(t.A, t.B)
	c.patcher.texts(t.B, t.A)
	c.learn(in, t.A)
	c.learn(in, t.B)
}

// compareNumbers learns a constant and, if search is true and it is worth it, makes patches for two
// numbers. It reports whether it has searched.
func (c *Comparer) compareNumbers(
	in input, n *NumberComparison, equal, mend []uint64, search bool,
) bool {
	size := int(n.Size)
	if size != 1 && size != 2 && size != 4 {
		size = 8
	}
	a, b := extend(n.A, 8*size, false), extend(n.B, 8*size, false)
	s := c.site(n.Site, mix(mix(n.Site^n.A)^n.B), a == b)
	if s == nil {
		return false
	}
	bonus := 0
	if n.Const {
		bonus = scoreConstant
		if !s.learned {
			s.learned = true
			c.constant(in, a, size)
		}
	}
	if !search || !c.worth(s, n.Site, equal, mend) || !c.patcher.begin(n.Site, bonus) {
		return false
	}
	c.patcher.numbers(b, a, size)
	if !n.Const {
		c.patcher.numbers(a, b, size)
	}
	return true
}

// site returns the site of a comparison with the hash h. It is nil if the comparison was seen
// recently, if its operands are equal, which the site remembers, or if there are too many sites.
func (c *Comparer) site(at, h uint64, equal bool) *site {
	s := c.sites[at]
	if s == nil && len(c.sites) < maxSites {
		if c.sites == nil {
			c.sites = make(map[uint64]*site)
		}
		s = new(site)
		c.sites[at] = s
	}
	slot := &c.recent[h%uint64(len(c.recent))]
	repeated := *slot == h
	*slot = h
	if s != nil && equal {
		s.equal = true
	}
	if repeated || equal {
		return nil
	}
	return s
}

// worth reports whether to make patches for a comparison. If they have been made often, or
// if the operands have been equal, they are made only now and then. To mend a patch, they
// are made only for what the patch has broken, or reached for the first time.
func (c *Comparer) worth(s *site, at uint64, equal, mend []uint64) bool {
	s.searched++
	if mend != nil {
		_, is := slices.BinarySearch(equal, at)
		_, was := slices.BinarySearch(mend, at)
		return was && !is || s.searched == 1
	}
	if s.equal && !c.r.oneIn(4) {
		return false
	}
	return s.searched < 256 || c.r.oneIn(16)
}

// learn puts a text into the dictionary, unless the input has it.
func (c *Comparer) learn(in input, b []byte) {
	for i := range in {
		if f := &in[i]; f.kind.text() && len(f.bytes) < 1<<12 && bytes.Contains(f.bytes, b) {
			return
		}
	}
	if len(b) > 0 {
		c.texts.add(string(b), c.r)
	}
}

// constant puts a number into the dictionaries.
func (c *Comparer) constant(in input, u uint64, size int) {
	c.numbers.add(extend(u, 8*size, true), c.r)
	if !c.bold {
		c.numbers.add(u, c.r)
		return
	}
	i := slices.IndexFunc(in, func(f Field) bool { return f.kind.text() })
	if i < 0 || size == 1 {
		return
	}
	if t := (text{b: in[i].bytes}); t.ascii() {
		c.texts.add(strconv.FormatInt(int64(extend(u, 8*size, true)), 10), c.r)
	}
	for size > 2 && fits(u, size/2, size) {
		size /= 2
	}
	var at [8]byte
	for _, order := range [...]byteOrder{false, true} {
		order.put(at[:size], u)
		c.texts.add(string(at[:size]), c.r)
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
