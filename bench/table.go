package main

import (
	"github.com/espalier-go/espalier/bench/classbugs"
	"github.com/espalier-go/espalier/bench/rltrial"
	"github.com/espalier-go/espalier/internal/testing/challenge"
)

// Names that several rows have.
const (
	ownIntegers = "rapid.Check with its own integers"
	ourFuzzer   = "corpusgen fuzz"
	decayTrees  = "DH04<[20k,10]~[1500,10]>"
	godelBoth   = "tune/godel/{(100,36)|(100,6)} "
	entryGroups = "{" + classbugs.Many + "|" + classbugs.Losses + "|" + classbugs.Single + "}"
	quickModule = "callseq/modules<~ in " + modulesQuick + ">/"
)

// table has all rows.
var table = []row{
	// How many values it takes until a bug shows.
	{"sample/{bst insert|bst delete|bst union|stale cache} values", "rapid.Check", ratioAtMost(1), values("rapid")},
	{"sample/{bst insert|bst delete|bst union|stale cache}/random values", "choices.Random", ratioAtMost(1), values("random")},
	{"sample/cost of {integers|records|sets|pair}/{value|choice} ns", "choices.Random", ratioAtMost(1.5), valuesCost},

	// How fast the byte format is, per node or integer.
	{"codec/{trees of 20|trees of 1000|50 integers}/decode ns", "hand-written", ratioAtMost(4), codec("bigen.Decode", "hand-written")},
	{"codec/{trees of 20|trees of 1000|50 integers}/decode/rapid ns", "rapid.MakeFuzz", ratioAtMost(1. / 20), codec("bigen.Decode", "rapid.MakeFuzz")},
	{"codec/{trees of 20|trees of 1000|50 integers}/encode ns", "bigen.Decode", ratioAtMost(2), codec("bigen.Encode", "bigen.Decode")},

	// How soon planted bugs are found.
	{"hunt/{bst-insert|bst-delete|bst-union|bst-floor}/{Valid}/rapid cpu-s", "rapid.Check", ratioAtMost(2), hunt("", "rapid.Check")},
	{"hunt/{bst-insert|bst-delete|bst-union|bst-floor}/{Check}/rapid cpu-s", "rapid.Check", ratioAtMost(.5), hunt("", "rapid.Check")},
	{"hunt/{bst-insert|bst-delete|bst-union|bst-floor}/{Valid}/rapid-own cpu-s", ownIntegers, ratioAtMost(2), hunt("", ownIntegers)},
	{"hunt/{bst-insert|bst-delete|bst-union|bst-floor}/{Check}/rapid-own cpu-s", ownIntegers, ratioAtMost(.5), hunt("", ownIntegers)},
	{"hunt/{bst-union}/{Valid}/MakeFuzz cpu-s", "rapid.MakeFuzz", ratioAtMost(1. / 3), hunt("", "rapid.MakeFuzz")},
	{"hunt/{bst-union}/{Valid}/raw cpu-s", "raw bytes", ratioAtMost(1. / 3), hunt("", "raw bytes")},
	{"hunt/{share-merge|cache-stale}/{Valid|Check}/best cpu-s", "best of rapid.Check, rapid.MakeFuzz, raw bytes", ratioAtMost(1. / 3), hunt("", "rapid.Check", "rapid.MakeFuzz", "raw bytes")},
	{"hunt/{share-merge|cache-stale}/{Valid|Check}/rapid-own cpu-s", ownIntegers, ratioAtMost(1. / 3), hunt("", ownIntegers)},
	{"hunt/{trivial}/Valid values per cpu-s", "rapid.Check", ratioAtLeast(.5), huntRates("Valid", "rapid.Check")},
	{"hunt/{ladder}/found %", "loops", oursAtLeast(80), huntsFound("Valid", 0, "rapid.Check", "rapid.Check with its own integers", "Check")},

	// How small failing values become, and in how many calls of the property.
	{"shrink/" + namesOf(challenge.Further(), shrinkGroup) + "/minimal", "all", ratioAtLeast(1), shrinkGrouped},
	{"shrink/" + shrinkNames(false) + "/minimal of 20", "rapid", oursAtLeast(20), shrinkBeside(shrunk.minimal)},
	{"shrink/" + shrinkNames(false) + "/calls/rapid", "rapid", ratioAtMost(.2), shrinkBeside(shrunk.calls)},
	{"shrink/" + shrinkNames(true) + "/calls/Hypothesis", "Hypothesis, published", ratioAtMost(1), shrinkPublished},

	// corpusgen fuzz beside go test.
	{"turbo/executions/cpu-s", "go test of Valid", ratioAtLeast(3), turboRate("Valid", came.executionsPer)},
	{"turbo/values/cpu-s", "go test of Valid", ratioAtLeast(3), turboRate("Valid", came.valuesPer)},
	{"turbo/interesting", "go test of Valid", oursAtMost(2), turboRate("Valid", came.interesting)},
	{"turbo/raw/executions/cpu-s", "go test of raw bytes", ratioAtLeast(3), turboRate("raw bytes", came.executionsPer)},
	{"turbo/hunt/{bst-insert|bst-delete|bst-floor|bst-union} cpu-s", "rapid.Check", ratioAtMost(1), hunt(turboOf+"Valid", "rapid.Check")},
	{"turbo/hunt/{share-merge|cache-stale} cpu-s", "Valid", ratioAtMost(.5), hunt(turboOf+"Valid", "Valid")},
	{"turbo/hunt/{ladder} cpu-s", "Valid", ratioAtMost(1. / 3), hunt(turboOf+"Valid", "Valid")},
	{"turbo/hunt/{ladder}/found %", "Valid", oursAtLeast(100), huntsFound(turboOf+"Valid", 0, "Valid")},
	{"turbo/hunt/{const-int|const-string}/found %", "Valid", oursAtLeast(100), huntsFound(turboOf+"Valid", turboSoon, "Valid")},
	{"turbo/hunt/{const-int|const-string}/found %", "Valid, raw bytes, rapid.MakeFuzz, rapid.Check", ratioAbove(1), huntsFound(turboOf+"Valid", turboSoon, "Valid", "raw bytes", "rapid.MakeFuzz", "rapid.Check")},
	{"turbo/check/{ladder|const-int}/found %", "Check", oursAtLeast(100), huntsFound(turboOf+"Check", turboSoon, "Check")},
	{"turbo/plain/{ladder|const-int|const-string}/bytes cpu-s", "raw bytes", ratioAtMost(1), hunt(turboOf+"raw bytes", "raw bytes")},

	// Guides of package rl.
	{"rl/study/{random}", "RLCheck, read off its Figure 4", ratioWithin(.05), rlStudy(830)},
	{"rl/study/{Sequence}", "RLCheck, read off its Figure 4", ratioWithin(.05), rlStudy(6930)},
	{"rl/study/{Tree}", "RLCheck, read off its Figure 4", ratioWithin(.05), rlStudy(4300)},
	{"rl/study/{TreeLR}", "RLCheck, read off its Figure 4", ratioWithin(.05), rlStudy(9270)},
	{"rl/{study}/unique", "TreeLR", oursAtLeast(50_000), rlBeside(rltrial.TreeLR, rlUnique)},
	{"rl/{study}/large", "TreeLR", oursAtLeast(39_000), rlBeside(rltrial.TreeLR, rlLarge)},
	{"rl/{study}/speed", "TreeLR", oursAtLeast(100_000), rlBeside(rltrial.TreeLR, rlSpeed)},
	{"rl/{rb}/unique", "random", ratioAtLeast(3), rlBeside(rltrial.Random, rlUnique)},
	{"rl/{rb}/unique", "RLCheck", ratioAtLeast(3), rlBeside(rltrial.RLCheck, rlUnique)},
	{"rl/{lambda|js}/unique", "random", ratioAbove(1), rlBeside(rltrial.Random, rlUnique)},
	{"rl/{lambda|js}/unique", "RLCheck", ratioAbove(1), rlBeside(rltrial.RLCheck, rlUnique)},
	{"rl/{js}/traces", "random", ratioAbove(1), rlBeside(rltrial.Random, rlTraces)},
	{"rl/{js}/traces", "RLCheck", ratioAbove(1), rlBeside(rltrial.RLCheck, rlTraces)},
	{"rl/{rb|lambda}/unique in {<1|5|20~1|5>} cpu-s", "best policy", ratioAtLeast(.8), rlMixture(rlUnique)},
	{"rl/{js}/traces in {<1|5|20~1|5>} cpu-s", "best policy", ratioAtLeast(.8), rlMixture(rlTraces)},
	{"rl/{rb|lambda|js}/first valid percent", "best policy", ratioAtLeast(.8), rlMixture(rlFirst)},
	{"rl/bug/{rb|lambda|js}/cpu-s to find, at most <10~2>", "best other", ratioAtMost(1.2), rlBug(true, rlMeanTime)},
	{"rl/bug/{rb|lambda|js}/found percent", "best other", ratioAtLeast(.8), rlBug(false, rlFound)},
	{"rl/bug/{rb|lambda|js}/valid input in <10~2> cpu-s percent", "best other", ratioAtLeast(.8), rlBug(false, rlReached)},

	// What go test -c costs a user, when everything else has been built.
	{"compile/one Check cpu-s", "rapid.Check", ratioAtMost(2), compiles(1, "rapid", 1)},
	{"compile/eleven Checks of eleven types cpu-s", "one Check", ratioAtMost(1.3), compiles(11, "ours", 1)},
	{"compile/eleven Checks of eleven types/rapid cpu-s", "rapid.Check, eleven times", ratioAtMost(2), compiles(11, "rapid", 11)},

	// Check.
	{"check/guide/redblack/large percent", "varied.Source", oursAtLeast(10), guide(guideFew, "check", guideRun.large)},
	{"check/guide/redblack/large percent with an example", "varied.Source", oursAtLeast(10), guide(guideFew, "example", guideRun.large)},
	{"check/guide/redblack/bugs of 58", "varied.Source", oursAtLeast(45), guide(guideMany, "check", guideRun.found)},
	{"check/when/{a third invalid|two thirds invalid|95 percent invalid}", "plain return", ratioAtMost(1), when("return")},
	{"check/when/{a third invalid|two thirds invalid|95 percent invalid}", "rapid.Check", ratioAtMost(1), when("rapid")},
	{"check/start/{trees|records}/{warm} us", "rapid.Check", ratioAtMost(1), starts},
	{"check/start/{trees|records}/{fresh} us", "rapid.Check", ratioAtMost(1.3), starts},
	{"check/failing/{trees} us", "rapid.Check", ratioAtMost(.1), failures},
	{"check/failing/{records|terms} us", "rapid.Check", ratioAtMost(.5), failures},
	{"check/price/{trees|terms}/plain ns", "rapid.Check", ratioAtMost(.95), priceOf(priced.ns)},
	{"check/price/{rb}/plain ns", "rapid.Check", ratioAtMost(1.1), priceOf(priced.ns)},
	{"check/price/{records}/plain ns", "rapid.Check", ratioAtMost(.45), priceOf(priced.ns)},
	{"check/price/{derived}/plain ns", "rapid.Check", ratioAtMost(.3), priceOf(priced.ns)},
	{"check/price/{strings}/plain ns", "rapid.Check", ratioAtMost(1), priceOf(priced.ns)},
	{"check/price/{trees-anew|rb-anew|terms-anew}/plain ns", "rapid.Check", ratioAtMost(1.2), priceOf(priced.ns)},
	{"check/price/" + priceNames(true) + "/guided ns", "rapid.Check", ratioAtMost(2), priceOf(priced.ns)},
	{"check/price/" + priceNames(false) + "/plain size", "rapid.Check", ratioWithin(.1), priceOf(priced.size)},
	{"check/price/" + priceNames(true) + "/guided size", "rapid.Check", ratioWithin(.1), priceOf(priced.size)},
	{"check/price/" + priceNames(false) + "/-v ns", "without -v", ratioAtMost(1.3), priceOf(priced.verbose)},
	{"check/price/" + priceNames(true) + "/-v ns", "without -v", ratioAtMost(1.3), priceOf(priced.verbose)},
	{"check/mutants/{built|naive|modules}/cpu ms", "rapid.Check", ratioAtMost(.5), mutantMeans(mutantHunt.ms)},
	{"check/mutants/{built|naive|modules}/values", "rapid.Check", ratioAtMost(1), mutantMeans(mutantHunt.count)},
	{"check/mutants/{built|naive|modules}/found", "rapid.Check", ratioAtLeast(1), mutantsCount(mutantRun.found)},
	{"check/mutants/{built|naive}/slower", "bugs", oursAtMost(2), mutantsCount(mutantRun.slower)},

	// How Check and corpusgen fuzz tell failures apart if they continue after the first.
	{"{check|fuzz}/entries/" + entryGroups + ": entries per bug", "the first failure", oursAtMost(1.5), entries(told.perBug)},
	{"{check|fuzz}/entries/" + entryGroups + ": bugs without an entry", "the first failure", oursAtMost(1), entries(told.without)},

	// Sequences of calls.
	{"callseq/radix/lines", "rapid's Repeat", ratioAtMost(1), seqLines},
	{"callseq/radix {alias|delete}/values", "rapid.Check", ratioAtMost(1), sequences(seqFound.values)},
	{"callseq/radix {alias|delete}/minimal of 20", "rapid.Check", oursAtLeast(seqSeeds), sequences(seqFound.minimal)},
	{"callseq/linear/{aba|map|counter|cache}/found with -race", "hunts", ratioAtLeast(1), linearHits},
	{"callseq/linear/{aba|map|counter|cache}/cpu-s under schedules", "by chance, with -race", oursAtMost(1), linearTimes},
	{"callseq/linear/schedules per cpu-s", "runs of go test", oursAtLeast(20_000), scheduleRates},
	{"callseq/linear/right ones reported", "CPU seconds", oursAtMost(0), linearRight},
	{"callseq/containers/coverage", "undirected", oursAtLeast(97), containers(coverage)},
	{"callseq/containers/uncovered", "undirected", ratioAtMost(.25), containers(uncovered)},
	{"callseq/containers/violations", "undirected", ratioAtLeast(1), containers(violations)},
	{"callseq/figure5/{BinTree|BinomialHeap|FibHeap|TreeMap}/blocks", "undirected", ratioAtLeast(1), figure5(figure5Reach.blocks)},
	{"callseq/figure5/{BinTree|BinomialHeap|FibHeap|TreeMap}/predicates", "undirected", ratioAbove(1), figure5(figure5Reach.predicates)},
	{"callseq/figure5/{BinTree}/predicates", "Randoop", oursAtLeast(54), figure5Printed(54)},
	{"callseq/figure5/{BinomialHeap}/predicates", "Randoop", oursAtLeast(101), figure5Printed(101)},
	{"callseq/figure5/{FibHeap}/predicates", "Randoop", oursAtLeast(96), figure5Printed(96)},
	{"callseq/figure5/{TreeMap}/predicates", "Randoop", oursAtLeast(106), figure5Printed(106)},
	{quickModule + "errors", "undirected", ratioAtLeast(3), modulesErrors},
	{quickModule + "reduced", "violating", ratioAtMost(.1), modulesReduced},
	{"callseq/fzgen/coverage", "fzgen", ratioAtLeast(1), fzgen("list", fzgenReach.coverage)},
	{"callseq/fzgen/sequences per cpu-s", "fzgen", ratioAtLeast(.1), fzgen("list", fzgenReach.rate)},
	{"callseq/fzgen/sequences to the bug", "fzgen", ratioAtMost(1), fzgen("planted", fzgenReach.untilBug)},
	{"callseq/fzgen/calls of the failure", "fzgen", ratioAtMost(1), fzgen("planted", fzgenReach.calls)},

	// Models that are tuned.
	{godelBoth + "hits %", decayTrees, oursAtLeast(95), godel(godelEntropy, godelHistogram, godelTuned.hits)},
	{godelBoth + "bits", "all such trees alike", oursAtLeast(130), godel(godelEntropy, godelExact, godelTuned.bit)},
	{godelBoth + "cpu-s", decayTrees, oursAtMost(5), godel(godelEntropy, godelHistogram, godelTuned.second)},
	{godelBoth + "exact hits %", "cross-entropy", oursAtLeast(100), godel(godelExact, godelEntropy, godelTuned.hits)},
	{"tune/godel/{(100,36)} exact log2 trees", "cross-entropy's bits", oursAtLeast(198), godel(godelExact, godelEntropy, godelTuned.log)},
	{"tune/godel/{(100,36)} " + decayTrees + " hits %", "the paper", ratioWithin(.35), godelPrinted(godelHistogram, 2.9)},
	{"tune/godel/{(100,36)} DG[5k,25] hits %", decayTrees, oursAtMost(.5), godel(godelGeometric, godelHistogram, godelTuned.hits)},
	{"tune/godel/{(100,36)} Boltzmann hits %", "the paper", oursAtMost(.03), godelPrinted(godelBoltzmann, .01)},
	{"tune/godel/{(100,6)} " + decayTrees + " hits %", "DG[5k,25]", ratioAbove(1), godel(godelHistogram, godelGeometric, godelTuned.hits)},
	{"tune/godel/{(100,6)} DG[5k,25] hits %", "Boltzmann", oursAtLeast(3), godel(godelGeometric, godelBoltzmann, godelTuned.hits)},
	{"tune/dragen/table 1/{uniform|weighted A3 B1 C1|weighted A1 Node3|only A Node|without C}/standard errors", "as printed, 100,000 values", oursAtMost(4), dragenObserved},
	{"tune/dragen/cost/{uniform}", "Table 1", oursAtMost(9.0251), dragenCost},
	{"tune/dragen/cost/{weighted A3 B1 C1|weighted A1 Node3}", "Table 1", oursAtMost(1e-9), dragenCost},
	{"tune/dragen/cost/{only A Node}", "Table 1", oursAtMost(.0501), dragenCost},
	{"tune/dragen/cost/{without C}", "Table 1", oursAtMost(2.7001), dragenCost},

	// corpusgen libfuzzer.
	{"scale/hunt/{bst-delete|share-merge|cache-stale|ladder}/stock cpu-s", "libFuzzer's mutations", ratioAtMost(1), needsClang(hunt(structured, stock))},
	{"scale/hunt/{bst-delete|share-merge|cache-stale|ladder}/fuzz cpu-s", ourFuzzer, ratioAtMost(1), needsClang(hunt(structured, turboOf+"Valid"))},
	{"scale/modules built", "go-118-fuzz-build", oursAtLeast(3), needsClang(scaleBuilt)},
	{"scale/values per cpu-s", "libFuzzer's mutations", oursAtLeast(40_000), needsClang(scaleRate)},
}
