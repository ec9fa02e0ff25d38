// Apistrength says how many small mistakes the tests that corpusgen api writes notice, beside the
// own tests of packages: those of packages.tsv, of which the last four have had no part in the
// making of corpusgen. With -write, it says so of what corpusgen write writes, for the packages of
// laws.tsv, which have had no part in its making. Own tests that fail, or take seconds each time,
// are skipped. Usage:
//
//	go -C bench run ./apistrength -work DIR [-write] [-time 1m] [-packages REGEXP]
//
// DIR gets two copies of each module: one with its own tests, and one whose only tests are those
// that corpusgen writes. corpusgen strength makes the same mistakes in both.
package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// A subject is a command of corpusgen that writes tests.
type subject struct {
	verb     string
	packages string // the table of those that it is tried on
	tests    string // the file of the tests that count
	others   string // matches files that these need
}

//go:embed packages.tsv
var packages string

//go:embed laws.tsv
var laws string

var (
	api   = subject{"api", packages, "callseq_regression_test.go", "callseq_stub_test.go"}
	write = subject{"write", laws, "properties_test.go", ""}
)

const espalier = "github.com/espalier-go/espalier"

func main() {
	work := flag.String("work", "", "the `directory` of copies")
	limit := flag.Duration("time", time.Minute, "the time of corpusgen api, or write")
	writes := flag.Bool("write", false, "try corpusgen write")
	like := flag.String("packages", "", "only the packages whose paths match `REGEXP`")
	flag.Parse()
	if *work == "" || flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	s := api
	if *writes {
		s = write
	}
	dir, err := filepath.Abs(*work)
	if err == nil {
		err = s.measure(dir, *limit, regexp.MustCompile(*like))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "apistrength:", err)
		os.Exit(1)
	}
}

func (s subject) measure(work string, limit time.Duration, like *regexp.Regexp) error {
	root, err := filepath.Abs("..")
	if err != nil {
		return err
	}
	tool := filepath.Join(work, "corpusgen")
	if _, err := run(root, "go", "build", "-o", tool, "./cmd/corpusgen"); err != nil {
		return err
	}
	fmt.Printf("package\tmistakes\town\t%s\tboth\t%[1]s only\ttests\tno panic\tstatements\n", s.verb)
	for line := range strings.Lines(s.packages[strings.Index(s.packages, "\n")+1:]) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if !like.MatchString(f[0]) {
			continue
		}
		if row, err := s.measureOne(work, root, tool, f[1], f[2], f[3], limit); err == nil {
			fmt.Printf("%s\t%s\n", f[0], row)
		} else { // the others follow
			fmt.Fprintf(os.Stderr, "%s: %v\n", f[0], err)
		}
	}
	return nil
}

// measureOne returns the row of a module.
func (s subject) measureOne(
	work, root, tool, module, version, skip string, limit time.Duration,
) (string, error) {
	base := filepath.Join(work, strings.ReplaceAll(module, "/", "!"))
	own, written := base+"-own", base+"-"+s.verb
	for _, dir := range []string{own, written} {
		if err := prepare(dir, root, module, version); err != nil {
			return "", err
		}
	}
	// It exits with 1 if it finds errors.
	out, failed := run(written, tool, s.verb, "-time", limit.String(), ".")
	if failed != nil {
		out = []byte(failed.Error())
	}
	if err := os.WriteFile(base+"."+s.verb, out, 0o666); err != nil {
		return "", err
	}
	tests, noPanic, statements := 0, 0, 0
	all, _ := filepath.Glob(filepath.Join(written, "*_test.go"))
	for _, path := range all {
		switch filepath.Base(path) {
		case s.others:
		case s.tests:
			text, err := os.ReadFile(path)
			if err != nil {
				return "", err
			}
			tests, statements = size(text)
			noPanic = len(noPanics.FindAll(text, -1))
		default:
			if err := os.Remove(path); err != nil {
				return "", err
			}
		}
	}
	mistakes, a, err := unnoticed(own, tool, skip)
	if err != nil {
		return "", err
	}
	_, b, err := unnoticed(written, tool, "")
	if err != nil {
		return "", err
	}
	neither := 0
	for id := range a {
		if b[id] {
			neither++
		}
	}
	byOwn, byAPI, only := mistakes-len(a), mistakes-len(b), len(a)-neither
	return fmt.Sprintf("%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d",
		mistakes, byOwn, byAPI, byAPI-only, only, tests, noPanic, statements), nil
}

// noPanics matches the tests that say no more than that calls do not panic.
var noPanics = regexp.MustCompile(`(?m)^func Test\w*NoPanic\w*\(`)

// size returns how many tests a file has, and how many lines the longest body has that begin a
// statement.
func size(text []byte) (tests, most int) {
	statement := regexp.MustCompile(`(?m)^\t[^\t}/]`)
	for _, body := range strings.Split(string(text), "\nfunc Test")[1:] {
		tests++
		body, _, _ = strings.Cut(body, "\n}\n")
		most = max(most, len(statement.FindAllString(body, -1)))
	}
	return tests, most
}

// prepare copies a module, and lets it require this one.
func prepare(dir, root, module, version string) error {
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	out, err := run(root, "go", "mod", "download", "-json", module+"@"+version)
	var found struct{ Dir string }
	if err == nil {
		err = json.Unmarshal(out, &found)
	}
	if err == nil {
		err = os.CopyFS(dir, os.DirFS(found.Dir))
	}
	if err == nil {
		_, err = run(dir, "chmod", "-R", "u+w", ".")
	}
	if err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(dir, "go.mod")); err != nil {
		if _, err := run(dir, "go", "mod", "init", module); err != nil {
			return err
		}
	}
	needed := filepath.Join(dir, "needed_test.go") // so that go mod tidy keeps the requirement
	name, err := run(dir, "go", "list", "-f", "{{.Name}}", ".")
	if err != nil {
		return err
	}
	text := fmt.Sprintf("package %s_test\n\nimport (\n\t_ %q\n\t_ %q\n\t_ %q\n)\n",
		strings.TrimSpace(string(name)), espalier+"/fuzzext", espalier+"/bigen/callseq/api",
		espalier+"/bigen/callseq/linear")
	if err := os.WriteFile(needed, []byte(text), 0o666); err != nil {
		return err
	}
	_, err = run(dir, "go", "mod", "edit", "-go=1.26.0", "-require="+espalier+"@v0.0.0",
		"-replace="+espalier+"="+root)
	if err == nil {
		_, err = run(dir, "go", "mod", "tidy", "-e")
	}
	if err == nil {
		err = os.Remove(needed)
	}
	return err
}

// unnoticed returns how many mistakes there are, and which of them the tests of a module do not
// notice.
func unnoticed(dir, tool, skip string) (mistakes int, ids map[string]bool, err error) {
	args := []string{"strength", "-json", "-fresh"}
	if skip != "" {
		args = append(args, "-skip", skip)
	}
	out, _ := run(dir, tool, append(args, ".")...) // it exits with 2 if some survive
	ids = map[string]bool{}
	for line := range bytes.Lines(out) {
		var event struct {
			Event    string
			Mistake  struct{ ID string }
			Mistakes int
		}
		if json.Unmarshal(line, &event) != nil {
			continue
		}
		if event.Mistake.ID != "" {
			ids[event.Mistake.ID] = true
		}
		mistakes = max(mistakes, event.Mistakes)
	}
	if mistakes == 0 {
		return 0, nil, fmt.Errorf("corpusgen strength does not count the mistakes of %s: %s", dir, out)
	}
	return mistakes, ids, nil
}

// run runs a command, and returns its standard output.
func run(dir, name string, args ...string) ([]byte, error) {
	cmd := exec.Command(name, args...)
	var stderr bytes.Buffer
	cmd.Dir, cmd.Stderr = dir, &stderr
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("%s: %w\n%s%s", strings.Join(cmd.Args, " "), err, out, stderr.Bytes())
	}
	return out, err
}
