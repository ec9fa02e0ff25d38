package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/ossfuzz"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
)

var _ = register(&command{
	name:    "oss-fuzz",
	summary: "write what OSS-Fuzz and ClusterFuzzLite need to run fuzz targets",
	usage: `usage: corpusgen oss-fuzz init [flags] [packages]
       corpusgen oss-fuzz coverage -o dir [flags] [packages]
       corpusgen oss-fuzz entries -types list -o dir DIR

Init writes the files with which OSS-Fuzz and ClusterFuzzLite build and run the
fuzz targets of a module, by libFuzzer. The default packages are ./... below the
current directory. The targets need no change.

	oss-fuzz/
		project.yaml, Dockerfile and build.sh: the folder of the
		project in the repository of OSS-Fuzz
	.clusterfuzzlite/
		project.yaml, Dockerfile and build.sh, at the top of the
		repository
	.github/workflows/
		cflite_pr.yml fuzzes what a pull request changes, and
		cflite_batch.yml all targets, four times a day. Each night,
		cflite_cron.yml prunes the corpora, and measures coverage.
		cflite_build.yml keeps a build of each push to main or master,
		which tells crashes that were there before a pull request

Build.sh runs go tool corpusgen libfuzzer, so the module must have the tool: see
go help get, -tool. It builds all targets there are when it runs: init need not
run again for new ones. A file that exists is never changed: if it differs, init
says where.

Coverage is what build.sh runs for a coverage build. It writes to dir, for each
target, a program that runs the target on the inputs in the directory named by
FUZZ_CORPUS_DIR, and takes the flag -test.coverprofile. These programs run
entries, which turns inputs of libFuzzer into corpus entries without a Go
installation.

The flags are:

	-dir dir
		write the files for OSS-Fuzz to dir (default oss-fuzz)
	-repo url
		the repository that OSS-Fuzz clones (default: that of the
		module's path)
	-o dir
		the directory for what coverage and entries write
	-types list
		the types of the arguments of a fuzz function, with commas in
		between
	-fuzz regexp
		use the targets whose names match, in build.sh, too
	-C dir
		change to dir before anything else

The flags of go test that build packages (-tags and so on) go into build.sh. The
exit status is 1 if something cannot be written, and 2 if the command line is
wrong.
`,
	run: runOSSFuzz,
})

// ossFuzzCommands are the commands of `corpusgen oss-fuzz`, by name.
var ossFuzzCommands = map[string]func(context.Context, []string) error{
	"init":     ossfuzz.Init,
	"coverage": ossfuzz.BuildCoverage,
	"entries":  ossfuzz.Entries,
}

func runOSSFuzz(ctx context.Context, args []string) error {
	if len(args) == 0 {
		return session.UsageError{Msg: "name a command: init or coverage"}
	}
	if slices.Contains([]string{"-h", "-help", "--help"}, args[0]) {
		return session.ErrHelp
	}
	run, ok := ossFuzzCommands[args[0]]
	if !ok {
		return session.UsageError{Msg: fmt.Sprintf("there is no command %q: want init or coverage", args[0])}
	}
	return run(ctx, args[1:])
}
