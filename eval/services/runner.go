package main

import (
	"context"
	"embed"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/espalier-go/espalier/eval/others"
)

// A service is one that others wrote.
type service struct{ name, module, version, pkg string }

//go:embed services.tsv
var list string

//go:embed testdata/*_test.go
var tests embed.FS

// services returns the list.
func services() (all []service) {
	_, rest, _ := strings.Cut(list, "\n")
	for line := range strings.Lines(rest) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		all = append(all, service{f[0], f[1], f[2], f[3]})
	}
	return all
}

func (s service) target(name string) others.Target {
	return others.Target{Module: s.module, Version: s.version, Pkg: s.pkg, Name: name}
}

// A runner runs a service.
type runner struct {
	*others.Lab
	service
}

const openapi = others.Espalier + "/contrib/openapi"

// prepare copies the module, and adds the tests.
func (r runner) prepare(ctx context.Context, dir string) error {
	if err := r.Copy(ctx, r.module+"@"+r.version, dir); err != nil {
		return err
	}
	pkg := filepath.Join(dir, filepath.FromSlash(r.pkg))
	own, err := tests.ReadFile(path.Join("testdata", r.name+"_test.go"))
	if err != nil {
		return err
	}
	common, err := tests.ReadFile("testdata/common_test.go")
	if err != nil {
		return err
	}
	clause := regexp.MustCompile(`(?m)^package \w+`)
	common = clause.ReplaceAll(common, clause.Find(own))
	for name, text := range map[string][]byte{"own": own, "common": common} {
		file := filepath.Join(pkg, "espalier_"+name+"_test.go")
		if err := os.WriteFile(file, text, 0o666); err != nil {
			return err
		}
	}
	_, err = others.Output(ctx, dir, "go", "mod", "edit", "-require="+openapi+"@v0.0.0",
		"-replace="+openapi+"="+filepath.Join(r.Root, "contrib", "openapi"))
	if err != nil {
		return err
	}
	_, err = others.Output(ctx, pkg, "go", "list", "-mod=mod", "-test", "-deps", ".")
	return err
}

// result runs all arms.
func (r runner) result(ctx context.Context) (res result, err error) {
	for _, arm := range arms {
		done, err := r.run(ctx, arm)
		if ctx.Err() != nil {
			return res, ctx.Err()
		} else if err != nil {
			done.Note = err.Error()
		}
		res.Statements = max(res.Statements, done.Statements)
		res.Arms = append(res.Arms, done)
	}
	if res.Random, err = r.random(ctx); err != nil {
		return res, err
	}
	res.Check, err = r.check(ctx)
	return res, err
}

// random runs the client that learns nothing from responses.
func (r runner) random(ctx context.Context) (random, error) {
	classes := filepath.Join(r.Scratch, "classes")
	for name, value := range map[string]string{
		"SERVICES_CPU": r.Limit.String(), "SERVICES_CLASSES": classes,
	} {
		if err := os.Setenv(name, value); err != nil {
			return random{}, err
		}
		defer os.Unsetenv(name)
	}
	reach, err := r.Reach(ctx, r.target("TestRandom"), r.prepare, "")
	if err != nil {
		return random{}, err
	}
	text, err := os.ReadFile(classes)
	if err != nil {
		return random{}, fmt.Errorf("the random client has not ended: %w", err)
	}
	return random{reach.Reached, strings.FieldsFunc(string(text), func(r rune) bool { return r == '\n' })}, nil
}

// run runs an arm.
func (r runner) run(ctx context.Context, a arm) (run, error) {
	t := r.target(a.target)
	done, err := r.Fuzz(ctx, others.Campaign{Target: t, Engine: a.engine, Prepare: r.prepare})
	res := run{Failures: done.Failures, CPU: done.CPU.Seconds(), Says: done.Says}
	if err != nil {
		return res, err
	}
	reach, err := r.Reach(ctx, t, r.prepare, done.Kept)
	res.Statements, res.Reached = reach.Statements, reach.Reached
	return res, err
}

// An arm is an engine with a target.
type arm struct{ engine, target string }

func (a arm) String() string { return a.target + ", " + a.engine }

var arms = []arm{
	{others.Stock, "FuzzBytes"}, {others.Stock, "FuzzService"}, {others.Ours, "FuzzService"},
}

const sequences = 3000

// check runs random sequences, and collects what their failures are.
func (r runner) check(ctx context.Context) (c check, err error) {
	dir := filepath.Join(r.Scratch, "checked")
	if err := r.prepare(ctx, dir); err != nil {
		return c, err
	}
	cmd := exec.Command("go", "test", "-vet=off", "-run=^TestService$", "-v", "-timeout=1h",
		"-args", "-fuzzext.seed=1", fmt.Sprint("-fuzzext.checks=", sequences), "-fuzzext.keepgoing")
	cmd.Dir, cmd.Env = filepath.Join(dir, filepath.FromSlash(r.pkg)), others.Environment()
	done := others.Start(ctx, others.MostReplay, others.MostReplay, cmd)
	c.CPU, c.Says = done.CPU.Seconds(), string(done.Out)
	m := succeeded.FindStringSubmatch(c.Says)
	if m == nil {
		return c, fmt.Errorf("the check says nothing of its operations: %s", done.Tail())
	}
	c.Succeeded, c.Operations = m[1], m[2]
	for _, m := range class.FindAllStringSubmatch(c.Says, -1) {
		if !slices.Contains(c.Classes, m[1]) {
			c.Classes = append(c.Classes, m[1])
		}
	}
	for _, m := range panicked.FindAllStringSubmatch(c.Says, -1) {
		if !slices.Contains(c.Classes, m[1]) {
			c.Classes = append(c.Classes, m[1])
		}
	}
	slices.Sort(c.Classes)
	return c, nil
}

var (
	succeeded = regexp.MustCompile(`openapi: (\d+) of (\d+) operations have succeeded`)
	class     = regexp.MustCompile(`class "(\w+: [^"]*)"`)
	panicked  = regexp.MustCompile(`(?m)^ *(panic: .*)`)
)
