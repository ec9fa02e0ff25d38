package main

import (
	_ "embed"
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
type apiVerdict struct{ class, error string }

// judged has a line for each verdict, with the reason, and for each package without errors. The
// verdicts come from reading code and docs. What a caller does wrong by the docs, or by an index or
// a size that makes no sense, is not an error.
//
//go:embed testdata/api-verdicts.tsv
var judged string

// judgedModules returns the packages that have been judged.
func judgedModules() (all []judgedModule) {
	for line := range strings.Lines(judged[strings.Index(judged, "\n")+1:]) {
		f := strings.Split(line, "\t")
		m := judgedModule{path: f[0], version: f[1], pkg: f[2]}
		if last := len(all) - 1; last < 0 || all[last].path+"/"+all[last].pkg != m.path+"/"+m.pkg {
			all = append(all, m)
		}
		if f[3] != "" {
			last := &all[len(all)-1]
			last.verdicts = append(last.verdicts, apiVerdict{f[3], f[4]})
		}
	}
	return all
}

// An apiCount is a line of Randoop's Figure 7.
type apiCount struct {
	tests, violating, reduced, real, errors int
	unjudged                                int // classes without a verdict
}

func (c apiCount) String() string {
	return fmt.Sprintf("%d tests, %d violating, %d after reduction, %d real, %d errors, %d "+
		"classes without a verdict",
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
	c := apiCount{
		tests:     a.Stats.Kept + a.Stats.Failed,
		violating: a.Stats.Failed,
		reduced:   len(a.Errors),
	}
	found := map[string]bool{}
	for _, e := range a.Errors {
		i := slices.IndexFunc(m.verdicts, func(v apiVerdict) bool {
			return strings.HasPrefix(e.Class, v.class)
		})
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

// modulesErrors is Randoop's Figure 7: the errors that feedback-directed generation finds in
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
		for _, m := range judgedModules() {
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
