package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A judgedModule is a package that corpusgen api makes a harness of.
type judgedModule struct {
	path, version, pkg string // pkg is the folder of the package in the module
	verdicts           []apiVerdict
}

// An apiVerdict says which error the classes of violations stand for that begin with a text;
// none if it has no name.
type apiVerdict struct{ class, error, why string }

// judgedModules have been judged by reading their code and docs. What a caller does wrong by the
// docs, or by an index or a size that makes no sense, is no error.
var judgedModules = []judgedModule{
	{"github.com/google/btree", "v1.1.3", "", []apiVerdict{
		{"btree.NewFreeList", "", "a negative size"},
	}},
	{"github.com/bits-and-blooms/bitset", "v1.24.0", "", []apiVerdict{
		{"bitSet.UnmarshalBinary: panic: runtime error: makeslice", "ReadFrom", "malformed data panics, instead of returning an error"},
		{"bitSet.ReadFrom: panic: runtime error: makeslice", "ReadFrom", "malformed data panics, instead of returning an error"},
		{"bitSet.OnesBetween", "OnesBetween", "bits beyond the length panic, but not in Test or Count"},
		{"bitSet.DeleteAt", "DeleteAt", "bits beyond the length panic, but not in Clear"},
		{"bitSet.AsSlice", "", "a buffer that is too small"},
		{"bitSet.", "FromWithLength", "a slice longer than the length, which the docs allow, breaks what combines sets"},
		{"contract Clone is equal of bitSet", "FromWithLength", "the same: DeleteAt shortens the length only"},
	}},
	{"github.com/gammazero/deque", "v1.1.0", "", nil},
	{"github.com/armon/go-radix", "v1.0.0", "", nil},
	{"github.com/google/uuid", "v1.6.0", "", nil},
	{"github.com/oklog/ulid/v2", "v2.1.1", "", []apiVerdict{
		{"monotonicEntropy.MonotonicRead", "", "a buffer that is too small"},
	}},
	{"github.com/zyedidia/generic", "v1.2.1", "trie", []apiVerdict{
		{"contract Size of trie", "Remove", "removing a key that is not there decrements the size"},
	}},
	{"github.com/zyedidia/generic", "v1.2.1", "cache", []apiVerdict{
		{"cache.Put", "evict", "a cache of capacity 0 dereferences nil"},
		{"cache.Resize", "evict", "a cache of capacity 0 dereferences nil"},
	}},
	{"github.com/emirpasic/gods/v2", "v2.0.0-alpha", "lists/arraylist", []apiVerdict{
		{"iterator.Value", "", "Next has not been called"},
		{"list.", "FromJSON", "the size remains that of the old elements"},
	}},
	{"github.com/emirpasic/gods/v2", "v2.0.0-alpha", "lists/doublylinkedlist", []apiVerdict{
		{"iterator.", "", "Next has not been called, or the list has changed"},
		{"list.Insert", "Insert", "no values are inserted by dereferencing nil"},
	}},
	{"github.com/emirpasic/gods/v2", "v2.0.0-alpha", "queues/circularbuffer", []apiVerdict{
		{"iterator.Value", "", "Next has not been called"},
		{"contract MarshalJSON of queue", "ToJSON", "it writes slots that are empty"},
	}},
	{"github.com/hashicorp/golang-lru/v2", "v2.0.7", "", nil},
	{"github.com/eapache/queue", "v1.1.0", "", nil},
	{"github.com/Workiva/go-datastructures", "v1.1.5", "bitarray", []apiVerdict{
		{"iterator.Value", "", "Next has not been called"},
		{"bitArray.Nand", "Nand", "arrays of other sizes panic"},
		{"bitArray.ToNums", "ToNums", "an empty array panics"},
		{"bitArray.Equals", "Equals", "arrays of other sizes panic"},
		{"bitArray.GetSetBits", "GetSetBits", "an offset beyond the bits panics"},
		{"bitArray.And", "And", "an empty array panics"},
	}},
}

// An apiCount is a line of papers/002, Figure 7.
type apiCount struct {
	tests, violating, reduced, real, errors int
	unjudged                                int // classes without a verdict
}

func (c apiCount) String() string {
	return fmt.Sprintf("%d tests, %d violating, %d after reduction, %d real, %d errors, %d classes without a verdict",
		c.tests, c.violating, c.reduced, c.real, c.errors, c.unjudged)
}

func (c *apiCount) add(d apiCount) {
	c.tests += d.tests
	c.violating += d.violating
	c.reduced += d.reduced
	c.real += d.real
	c.errors += d.errors
	c.unjudged += d.unjudged
}

// judge counts the classes of errors that a module's sequences have revealed.
func (m *judgedModule) judge(a apiAnswer) apiCount {
	c := apiCount{tests: a.Stats.Kept + a.Stats.Failed, violating: a.Stats.Failed, reduced: len(a.Errors)}
	found := map[string]bool{}
	for _, e := range a.Errors {
		i := slices.IndexFunc(m.verdicts, func(v apiVerdict) bool { return strings.HasPrefix(e.Class, v.class) })
		switch {
		case i < 0:
			c.unjudged++
			fmt.Fprintf(os.Stderr, "%s/%s: no verdict on %s\n", m.path, m.pkg, e.Class)
		case m.verdicts[i].error != "":
			c.real++
			found[m.verdicts[i].error] = true
		}
	}
	c.errors = len(found)
	return c
}

// modulesErrors is papers/002, Figure 7: the errors that feedback-directed generation finds in
// packages of other modules, and undirected generation. As in the paper's section 3.2.3, that has
// the same parameters, with repetition, and drops sequences that are known; but it extends all
// others, each as likely, whatever they do, by any value.
// Where a class has no verdict, there may be more errors than are counted.
func modulesErrors(r run) (ours, base figure, err error) {
	sum := func(undirected bool) func() (apiCount, error) {
		return func() (apiCount, error) { return modulesCount(r, undirected) }
	}
	return both(sum(false), sum(true), func(c apiCount) figure {
		return figure{value: float64(c.errors), more: c.unjudged > 0}
	})
}

// modulesReduced compares the classes with the tests that violate a contract.
func modulesReduced(r run) (ours, base figure, err error) {
	c, err := modulesCount(r, false)
	return number(float64(c.reduced)), number(float64(c.violating)), err
}

// modulesQuick is what -quick measures.
const modulesQuick = "github.com/Workiva/go-datastructures/bitarray"

func modulesCount(r run, undirected bool) (apiCount, error) {
	return once(fmt.Sprint("modules ", undirected), func() (sum apiCount, err error) {
		for i := range judgedModules {
			m := &judgedModules[i]
			if r.quick && m.path+"/"+m.pkg != modulesQuick {
				continue
			}
			c, err := m.measure(apiOrder{Seed: 1, Seconds: pick(r, 10., 2), Undirected: undirected})
			if err != nil {
				return sum, fmt.Errorf("%s/%s: %w", m.path, m.pkg, err)
			}
			fmt.Fprintf(os.Stderr, "%s/%s, undirected %t: %v\n", m.path, m.pkg, undirected, c)
			sum.add(c)
		}
		fmt.Fprintf(os.Stderr, "all, undirected %t: %v\n", undirected, sum)
		return sum, nil
	})
}

// measure carries out an order.
func (m *judgedModule) measure(o apiOrder) (c apiCount, err error) {
	dir := filepath.Join(scratch, regexp.MustCompile(`\W`).ReplaceAllString(m.path+"/"+m.pkg, "-"))
	pkg := strings.TrimSuffix(m.path+"/"+m.pkg, "/")
	binary, err := once("harness "+pkg, func() (string, error) {
		if err := apiModule(dir, []string{m.path + " " + m.version}, []string{pkg}); err != nil {
			return "", err
		}
		return makeHarness(dir, "harness", pkg)
	})
	if err != nil {
		return c, err
	}
	a, err := o.generate(binary)
	if err != nil {
		return c, err
	}
	return m.judge(a), nil
}
