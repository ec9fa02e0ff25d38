package main

import (
	"embed"
	"fmt"
	"strings"

	"github.com/espalier-go/espalier/internal/goal"
	"github.com/espalier-go/espalier/mutate"
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

// goalUsage lists the goals.
func goalUsage() string {
	var b strings.Builder
	for _, line := range goal.Usage() {
		fmt.Fprintf(&b, "\t%s\n", line[0])
		for text := line[1]; text != ""; {
			n := len(text)
			if n > 66 {
				n = strings.LastIndexByte(text[:66], ' ')
			}
			fmt.Fprintf(&b, "\t           %s\n", text[:n])
			text = strings.TrimSpace(text[n:])
		}
	}
	return b.String()
}

// operatorNames lists the operators of mutate, in two lines.
func operatorNames() string {
	var names []string
	for _, op := range mutate.Operators() {
		names = append(names, op.Name)
	}
	half := len(names) / 2
	return strings.Join(names[:half], ", ") + ",\n\t\t" + strings.Join(names[half:], ", ")
}

// read reads a text. The folder is part of the program: that one is missing is a mistake in it.
func read(name string) string {
	b, err := words.ReadFile("usage/" + name)
	if err != nil {
		panic(err)
	}
	return string(b)
}
