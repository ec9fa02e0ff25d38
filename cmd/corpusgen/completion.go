package main

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
)

// The folder completion has a script for each shell. It asks `corpusgen completion words` for the
// words that complete the last of a command line.
//
//go:embed completion
var shells embed.FS

func runCompletion(_ context.Context, args []string) error {
	switch {
	case len(args) > 0 && slices.Contains([]string{"-h", "-help", "--help"}, args[0]):
		return session.ErrHelp
	case len(args) > 0 && args[0] == "words":
		for _, word := range complete(args[1:]) {
			fmt.Println(word)
		}
		return nil
	case len(args) != 1:
		return session.UsageError{Msg: "name one shell: bash, zsh or fish"}
	}
	script, err := shells.ReadFile("completion/" + args[0])
	if err != nil {
		return session.UsageError{Msg: fmt.Sprintf("there is no script for the shell %q: name bash, "+
			"zsh or fish", args[0])}
	}
	_, err = os.Stdout.Write(script)
	return err
}

// complete returns the words that can take the place of the last argument of corpusgen.
func complete(args []string) (words []string) {
	if len(args) == 0 {
		return nil
	}
	last := args[len(args)-1]
	add := func(candidates ...string) {
		for _, c := range candidates {
			if strings.HasPrefix(c, last) {
				words = append(words, c)
			}
		}
	}
	switch {
	case len(args) == 1:
		add(append(names(), "help")...)
	case args[0] == "help" && len(args) == 2:
		add(names()...)
	case args[0] == "completion" && len(args) == 2:
		add("bash", "fish", "zsh")
	case !slices.Contains(names(), args[0]):
	case strings.HasPrefix(last, "-"):
		add(flagsOf(args[0])...)
	case slices.Contains([]string{"-fuzz", "--fuzz", "-run", "--run"}, args[len(args)-2]):
		add(tests()...)
	}
	return words
}

// names returns the names of the commands, which are those of their usage texts.
func names() (list []string) {
	texts, err := fs.Glob(words, "usage/*.txt")
	if err != nil {
		panic(err)
	}
	for _, text := range texts {
		list = append(list, strings.TrimSuffix(path.Base(text), ".txt"))
	}
	return list
}

var flagLine = regexp.MustCompile(`(?m)^\t(-[\w-]+)`)

// flagsOf returns the flags that the usage text of a command lists.
func flagsOf(name string) (list []string) {
	for _, m := range flagLine.FindAllStringSubmatch(usage(name), -1) {
		list = append(list, m[1])
	}
	slices.Sort(list)
	return slices.Compact(list)
}

var testFunc = regexp.MustCompile(`(?m)^func ((?:Fuzz|Test)\w*)\(`)

// tests returns the fuzz targets and tests in the current directory.
func tests() (list []string) {
	files, _ := filepath.Glob("*_test.go")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // its names are not completed
		}
		for _, m := range testFunc.FindAllStringSubmatch(string(text), -1) {
			list = append(list, m[1])
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}
