// Package ossfuzz writes the files that OSS-Fuzz and ClusterFuzzLite need of a Go module, and
// builds the binaries with which they measure coverage.
//
//	for _, f := range ossfuzz.Files(project) {
//		err := safefile.Create(filepath.Join(root, f.Path), root, f.Data)
//	}
package ossfuzz

import (
	"bytes"
	"context"
	"embed"
	"path"
	"slices"
	"text/template"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
	"github.com/espalier-go/espalier/internal/shell"
)

// commands are the commands of `corpusgen oss-fuzz`, by name.
var commands = map[string]func(context.Context, []string) error{
	"init":     initialize,
	"coverage": buildCoverage,
	"entries":  entries,
}

// Run is `corpusgen oss-fuzz`.
func Run(ctx context.Context, args []string) error {
	if len(args) == 0 {
		return session.Usagef("name a command: init or coverage")
	}
	if slices.Contains([]string{"-h", "-help", "--help"}, args[0]) {
		return session.ErrHelp
	}
	run, ok := commands[args[0]]
	if !ok {
		return session.Usagef("there is no command %q: want init or coverage", args[0])
	}
	return run(ctx, args[1:])
}

//go:embed files
var files embed.FS

// A Project is a module with fuzz targets.
type Project struct {
	Name      string   // of the checkout's directory
	Repo      string   // URL
	Below     string   // path of the module in the repository, with a slash in front; "" for its root
	Toolchain string   // as in GOTOOLCHAIN
	Args      []string // of corpusgen libfuzzer: flags and packages
}

// A File is one to write.
type File struct {
	// Path has slashes. It is relative to the top of the repository, if it begins with a dot, a
	// file of ClusterFuzzLite; or else to the folder of the project in the repository of OSS-Fuzz.
	Path string
	Data []byte
	Exec bool
}

// Files returns all files of a project.
func Files(p Project) []File {
	return []File{
		p.file("project.yaml", "project.yaml"),
		p.file("Dockerfile", "Dockerfile"),
		p.file("build.sh", "build.sh"),
		p.file("cflite_project.yaml", ".clusterfuzzlite/project.yaml"),
		p.file("cflite_Dockerfile", ".clusterfuzzlite/Dockerfile"),
		p.file("build.sh", ".clusterfuzzlite/build.sh"),
		p.file("cflite_pr.yml", ".github/workflows/cflite_pr.yml"),
		p.file("cflite_build.yml", ".github/workflows/cflite_build.yml"),
		p.file("cflite_batch.yml", ".github/workflows/cflite_batch.yml"),
		p.file("cflite_cron.yml", ".github/workflows/cflite_cron.yml"),
	}
}

// file fills in a template. Workflows are none: their own expressions are in braces, too.
func (p Project) file(name, to string) File {
	text, err := files.ReadFile(path.Join("files", name))
	if err != nil {
		panic(err) // it is embedded
	}
	f := File{Path: to, Data: text, Exec: path.Ext(to) == ".sh"}
	if path.Ext(name) == ".yml" {
		return f
	}
	f.Data = fill(name, struct {
		Project
		Args string
	}{p, shell.Command(p.Args...)})
	return f
}

// A coverage is a fuzz target in a coverage build.
type coverage struct {
	Target, Package string
	Dir             string // of the package
	Corpus          string // directory in which the test binary looks for the target's entries
	Types           string // of the arguments
	Binary          string // name of the test binary, in the directory coverage
}

// fill fills in a template.
func fill(name string, fields any) []byte {
	var b bytes.Buffer
	if err := template.Must(template.New(name).Funcs(template.FuncMap{"quote": shell.Quote}).
		ParseFS(files, "files/"+name)).Execute(&b, fields); err != nil {
		panic(err) // it is embedded
	}
	return b.Bytes()
}
