// Package docs tests README.md, the guide in docs, docs/llms.txt and the skill, so that nothing in
// them goes stale. It has tests only.
//
// The kind of a fenced code block says how it is tested:
//
//	```go        Its lines stand in a Go file of this module, exactly so. A line "..." stands
//	             for any number of lines.
//	```console   A session in a clone of this repository. A line "$ command" runs in a copy
//	             of the examples, and the lines after it are what it prints. A line "..."
//	             stands for any number of lines. Times, seeds, hashes and counts may differ:
//	             see varying. All blocks share one copy, in their order. A command line that
//	             stands in several places runs once.
//	```sh        Commands for the reader's own module. With ESPALIER_LONG=1 they run in
//	             such a module, for a short time each, and must succeed.
//	             A command "git clone --branch VERSION URL" puts a module into the copy of the
//	             examples, as the module proxy has it, with the files of testdata for it.
//	```yaml      A workflow of GitHub Actions. With ESPALIER_LONG=1, actionlint reads it.
//	```text      Pictures and the like. They are not tested.
//
// A block "```console long" runs only with ESPALIER_LONG=1. So does "```console bench", beside the
// others: of its rows, only the metrics and the names of the baselines are compared. "```console
// long clang" and commands of corpusgen libfuzzer also need a clang that has libFuzzer. What can be
// told from the text is always checked: links, code, flags, the names of packages, tests and
// identifiers, and that the guide mentions all options and flags.
//
//	ESPALIER_LONG=1 go test ./internal/testing/docs -update
//
// rewrites the output of sessions that has changed. Where it had a line "..." the
// output is whole afterwards: shorten it again. It also makes the pictures of docs/pictures anew: of
// terminals from the sessions of the guide, and of pages from a run.
package docs
