package main

import (
	"embed"
	"strings"
)

// The folder usage has a text for each command, NAME.txt, and parts that texts share, NAME.part. In
// a text, {{NAME}} stands for a part; {{goals}} and {{operators}} are what the code has.
//
//go:embed usage
var words embed.FS

// usage returns the usage text of a command.
func usage(name string) string {
	return strings.NewReplacer(
		"{{force}}", read("force.part"), // the flag of commands that replace a file that a flag names
		"{{goals}}", goalUsage(),
		"{{measure}}", read("measure.part"), // the flags that stats and report share
		"{{operators}}", operatorNames(),
		"{{sarif}}", read("sarif.part")+read("force.part"), // the flags of commands that report failures
		"{{saved}}", read("saved.part"), // a command reads what fuzzext.Check has saved
		"{{session}}", read("session.part"),
	).Replace(read(name + ".txt"))
}

// read reads a text. The folder is part of the program: that one is missing is a mistake in it.
func read(name string) string {
	b, err := words.ReadFile("usage/" + name)
	if err != nil {
		panic(err)
	}
	return string(b)
}
