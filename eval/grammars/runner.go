package main

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/espalier-go/espalier/eval/others"
)

// A runner takes a grammar through the stages.
type runner struct {
	*others.Lab
	grammar
	texts int
}

// worker is the other file of the program that has the grammar.
//
//go:embed testdata/main.go.txt
var worker string

const (
	convertCPU = 60 * time.Second
	compileCPU = 240 * time.Second // for each process
	itemCPU    = 3                 // seconds, for an example or a text
	mostMemory = 4 << 30
)

func (r runner) result(ctx context.Context) (res result, err error) {
	dir, err := r.module(ctx)
	if err != nil {
		return res, err
	}
	grammarFile := filepath.Join(dir, "grammar.go")
	args := append([]string{r.Corpusgen, "grammar", "-f", "-o", grammarFile, "-start", r.start}, r.files...)
	if p := r.process(ctx, dir, convertCPU, args...); p.Err != nil {
		res.Fault = r.note(p)
		return res, ctx.Err()
	} else {
		res.Converted, res.Says = true, r.note(p)
	}
	text, err := os.ReadFile(grammarFile)
	if err != nil {
		return res, err
	}
	root := rootType.FindSubmatch(text)
	if root == nil {
		return res, fmt.Errorf("%s: the file has no generator", r.name)
	}
	main := fmt.Sprintf("%s\nfunc main() { run(gen%s, language%[2]s) }\n", worker, root[1])
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(main), 0o666); err != nil {
		return res, err
	}
	p := r.process(ctx, dir, compileCPU, "go", "build", "-ldflags=-s -w", "-o", "run", ".")
	if p.Err != nil {
		res.Fault = "compile: " + r.note(p)
		return res, ctx.Err()
	}
	res.Compiled, res.CompileCPU = true, p.CPU.Seconds()
	if res.Examples, err = r.items(ctx, dir, r.examples); err != nil {
		return res, err
	}
	var seeds []string
	for seed := range r.texts {
		seeds = append(seeds, strconv.Itoa(seed))
	}
	res.Texts, err = r.items(ctx, dir, seeds)
	return res, err
}

var rootType = regexp.MustCompile(`(?m)^var gen(\w+) = `)

// module makes an empty module that requires Espalier.
func (r runner) module(ctx context.Context) (dir string, err error) {
	dir = filepath.Join(r.Scratch, "module")
	if err := os.RemoveAll(dir); err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	if _, err := others.Output(ctx, dir, "go", "mod", "init", "grammar"); err != nil {
		return "", err
	}
	sum, err := os.ReadFile(filepath.Join(r.Root, "go.sum"))
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(filepath.Join(dir, "go.sum"), sum, 0o666); err != nil {
		return "", err
	}
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte("package main\n"), 0o666); err != nil {
		return "", err
	}
	_, err = others.Output(ctx, dir, "go", "mod", "edit",
		"-require="+others.Espalier+"@v0.0.0", "-replace="+others.Espalier+"="+r.Root)
	return dir, err
}

func (r runner) process(
	ctx context.Context, dir string, cpu time.Duration, command ...string,
) others.Process {
	cmd := others.WithLimits(cpu, 0, command...)
	cmd.Dir, cmd.Env = dir, others.Environment()
	return others.Start(ctx, others.MostBuild, others.MostBuild, cmd)
}

// note is what a process says, without the place of the grammar.
func (r runner) note(p others.Process) string {
	text := strings.TrimSpace(strings.ReplaceAll(string(p.Out), r.dir+"/", ""))
	if p.Err != nil && text == "" {
		text = p.Err.Error()
	}
	return text[:min(len(text), 2000)]
}

// items runs the program for some items, and again for those that are left when it dies. It ends
// after the CPU time of the lab.
func (r runner) items(ctx context.Context, dir string, all []string) (done []item, err error) {
	var spent time.Duration
	for len(done) < len(all) {
		left := all[len(done):]
		if spent > r.Limit {
			for _, name := range left {
				done = append(done, item{r.short(name), "no CPU time is left"})
			}
			break
		}
		cmd := exec.Command("./run", append([]string{strconv.Itoa(itemCPU)}, left...)...)
		cmd = others.WithLimits(0, mostMemory, append([]string{"./run"}, cmd.Args[1:]...)...)
		cmd.Dir, cmd.Env = dir, others.Environment("GOMEMLIMIT=2GiB")
		p := others.Start(ctx, others.MostBuild, others.MostBuild, cmd)
		if ctx.Err() != nil {
			return done, ctx.Err()
		}
		spent += p.CPU
		n := len(done)
		for line := range strings.Lines(string(p.Out)) {
			name, says, ok := strings.Cut(line, "\t")
			if ok && len(done) < len(all) && name == all[len(done)] && strings.HasSuffix(says, "\n") &&
				!strings.HasPrefix(says, "SIGXCPU") {
				done = append(done, item{r.short(name), strings.TrimSpace(says)})
			}
		}
		if p.Err != nil && len(done) < len(all) || len(done) == n {
			done = append(done, item{r.short(all[len(done)]), "the process ended: " + r.died(p)})
		}
	}
	return done, nil
}

func (r runner) short(name string) string { return strings.TrimPrefix(name, r.dir+"/") }

var reasons = regexp.MustCompile(`SIGXCPU|fatal error: [^\n]*|panic: [^\n]*`)

func (r runner) died(p others.Process) string {
	if m := reasons.Find(p.Out); m != nil {
		return string(m)
	}
	return p.Err.Error()
}
