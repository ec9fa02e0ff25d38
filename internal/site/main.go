// Command site makes web pages of the guide: one for each chapter of docs, with a list of all of them
// beside it. Run it in this directory:
//
//	go run . -o DIR
//
// A link to what is not in docs leads to the repository. A link that leads nowhere is an error.
// It is a module of its own, so that users' module graphs do not have what it imports.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	docs := flag.String("docs", filepath.Join("..", "..", "docs"), "the directory of the chapters")
	out := flag.String("o", "", "write the pages to this directory, which is new or empty")
	flag.Parse()
	if *out == "" || flag.NArg() > 0 {
		fmt.Fprintln(os.Stderr, "usage: go run . [-docs DIR] -o DIR")
		os.Exit(2)
	}
	if err := run(*docs, *out); err != nil {
		fmt.Fprintf(os.Stderr, "site: %v\n", err)
		os.Exit(1)
	}
}

// run makes the pages of a directory in another one.
func run(docs, out string) error {
	if old, err := os.ReadDir(out); err == nil && len(old) > 0 {
		return fmt.Errorf("%s is not empty: name a new directory", out)
	}
	s, err := read(docs)
	if err != nil {
		return err
	}
	if err := s.check(); err != nil {
		return err
	}
	for _, p := range s.pages {
		if err := write(filepath.Join(out, p.file), s.html(p)); err != nil {
			return err
		}
	}
	for name := range s.assets {
		text, err := os.ReadFile(filepath.Join(docs, filepath.FromSlash(name)))
		if err != nil {
			return err
		}
		if err := write(filepath.Join(out, filepath.FromSlash(name)), text); err != nil {
			return err
		}
	}
	return nil
}

func write(path string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o666)
}
