// Predicates asks which predicates can be turned around: given only a function func(T) bool, is
// there a generator of exactly the values for which it is true?
//
//	go -C bench run ./predicates [-only REGEXP]
//
// It searches templates of generators of package bigen. A template is checked if it agrees with the
// predicate about all short values. It counts if it passes bigentest.Sound and, with wider values,
// bigentest.Complete. The table has a row for each predicate:
//
//   - from: the module that it is from, or own
//   - template: what was found; candidates: how many were tried; search: CPU seconds that took
//   - valid: the share of values of bigen.For that are valid
//   - filter, derived: different valid values in a CPU second, of bigen.For and a filter, and of
//     the derived generator; ratio: of the second to the first
//   - size: the mean number of elements of these values, of the one and of the other
package main

import (
	"cmp"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
)

// A predicate of a flat value: of a list, a text, a struct of integers, or a list of such structs.
// Its function gets the integers that the value consists of, in order.
type predicate struct {
	name    string
	from    string   // the module and version that it is from, if it is foreign
	goType  string   // the type of the values
	fields  []string // of structs
	list    bool     // of structs: the value is a list of them
	letters []int    // the elements to try, if they are not any integers
	valid   func([]int) bool
}

func main() {
	testing.Init()
	only := flag.String("only", "", "search for the predicates whose names match `REGEXP`")
	flag.Parse()
	match := regexp.MustCompile(*only)
	fmt.Println("predicate\tfrom\ttemplate\tcandidates\tsearch\tvalid\tfilter\tderived\tratio\tsize")
	for _, p := range append(foreign, own...) {
		if match.MatchString(p.name) {
			row(p.name, p.from, p.search, p.valid, p.structural())
		}
	}
	for _, p := range ownTrees {
		if match.MatchString(p.name) {
			search := func() (*derived[*tree], int, string) { return searchTrees(p.valid) }
			row(p.name, "", search, p.valid, bigen.For[*tree]())
		}
	}
}

// row prints a row of the table.
func row[A any](name, from string, search func() (*derived[A], int, string), valid func(A) bool,
	structural bigen.Gen[A],
) {
	begin := cpu()
	d, tried, why := search()
	took := cpu() - begin
	filter := rate(structural, valid)
	template, of := "- "+why, outcome{perSecond: math.NaN(), size: math.NaN()}
	if d != nil {
		template, of = d.kind+": "+d.text, rate(d.gen, func(A) bool { return true })
	}
	fmt.Printf("%s\t%s\t%.90s\t%d\t%.1f\t%.2g %%\t%s\t%s\t%s\t%s, %s\n", name,
		cmp.Or(from, "own"), template, tried, took.Seconds(), 100*filter.share,
		digits(filter.perSecond), digits(of.perSecond), digits(of.perSecond/filter.perSecond),
		digits(filter.size), digits(of.size))
}

// digits returns two significant digits, or a dash for none.
func digits(x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return "-"
	}
	s, _, _ := strings.Cut(fmt.Sprintf("%.0f", x), ".")
	if x < 10 {
		return fmt.Sprintf("%.2g", x)
	} else if len(s) > 2 {
		s = s[:2] + strings.Repeat("0", len(s)-2)
	}
	return s
}

// An outcome is what a generator makes in half a CPU second.
type outcome struct {
	share     float64 // of values that pass
	perSecond float64 // different values that pass
	size      float64 // the mean number of their elements
}

func rate[A any](g bigen.Gen[A], valid func(A) bool) outcome {
	const long = time.Second / 2
	r := rand.New(rand.NewPCG(3, 4))
	var kept []A
	n := 0
	begin := cpu()
	for n%64 != 0 || cpu()-begin < long {
		n++
		if v, err := bigen.Value(g, choices.Random(r)); err == nil && valid(v) {
			kept = append(kept, v)
		}
	}
	took := cpu() - begin
	different, size := map[string]bool{}, 0
	for _, v := range kept {
		k := key(v)
		if !different[k] {
			size += len(strings.FieldsFunc(k, func(r rune) bool { return !unicode.IsDigit(r) }))
		}
		different[k] = true
	}
	return outcome{float64(len(kept)) / float64(n), float64(len(different)) / took.Seconds(),
		float64(size) / float64(len(different))}
}

// key returns the same text for equal values only.
func key(v any) string {
	t, ok := v.(*tree)
	switch {
	case !ok:
		return fmt.Sprint(v)
	case t == nil:
		return "-"
	}
	return fmt.Sprintf("(%d %t %s %s)", t.Key, t.Red, key(t.L), key(t.R))
}

// cpu returns the CPU time of this process.
func cpu() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		fmt.Fprintln(os.Stderr, "predicates:", err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func runes(s string) (v []int) {
	for _, r := range s {
		v = append(v, int(r))
	}
	return v
}

func str(v []int) string {
	r := make([]rune, len(v))
	for i, x := range v {
		r[i] = rune(x)
	}
	return string(r)
}
