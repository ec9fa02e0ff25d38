package rltargets

import (
	"io"
	"strings"

	"github.com/rhysd/actionlint"

	"github.com/espalier-go/espalier/bigen"
)

// Workflow returns a target of YAML documents that actionlint accepts as GitHub workflows.
func Workflow() Target {
	text := func(key, s string) *entry { return &entry{key, &yaml{Kind: "text", Text: s}} }
	return newTarget("workflow", genWorkflow(), &yaml{Kind: "map",
		First: text("on", "push"),
		Second: &entry{"jobs", &yaml{Kind: "map", Rest: []*entry{
			{"build", &yaml{Kind: "map",
				First: text("runs-on", "ubuntu-latest"),
				Second: &entry{"steps", &yaml{Kind: "list", List: []*yaml{
					{Kind: "map", First: text("uses", "actions/checkout@v4")},
					{Kind: "map", First: text("run", "make"), Rest: []*entry{text("name", "test")}},
				}}},
			}},
		}}},
	})
}

// yaml is a YAML document, or a part of one.
type yaml struct {
	Kind          string // text, list or map
	Text          string
	List          []*yaml
	First, Second *entry // of a map, and
	Rest          []*entry
}

type entry struct {
	Key   string
	Value *yaml
}

// Words of workflows: keys of the workflow, of a job and of a step, names of jobs, and
// texts.
var (
	workflowKeys = []string{"on", "jobs", "name", "run-name", "env", "permissions", "defaults", "concurrency"}
	jobKeys      = []string{"runs-on", "steps", "needs", "name", "if", "strategy", "env", "permissions", "outputs", "timeout-minutes", "container", "services", "environment"}
	stepKeys     = []string{"run", "uses", "name", "id", "if", "with", "env", "shell", "working-directory", "timeout-minutes", "continue-on-error"}
	otherKeys    = []string{"branches", "types", "inputs", "push", "pull_request", "workflow_dispatch", "matrix", "group", "contents", "build", "test", "os", "CI"}
	jobNames     = []string{"build", "test", "lint", "deploy"}
	texts        = []string{
		"push", "pull_request", "workflow_dispatch", "release", "issues", "create", "fork", "schedule",
		"ubuntu-latest", "ubuntu-22.04", "windows-latest", "macos-latest", "self-hosted",
		"actions/checkout@v4", "actions/setup-go@v5", "make", "go test ./...", "echo ${{ github.sha }}", "bash",
		"read", "write", "main", "true", "10", "build", "test", "read-all", "opened",
		"${{ matrix.os }}", "${{ secrets.TOKEN }}", "${{ github.ref == 'main' }}", "${{ needs.build.outputs.x }}",
		"${{ env.CI }}", "${{ success() }}",
	}
)

// genWorkflow makes documents with the keys that every workflow has. All other keys, and
// all values, are any of the words that are used at that place.
func genWorkflow() bigen.Gen[*yaml] {
	none := bigen.Nil[entry]()
	value := genValue(2)
	step := genMap(genEntry(value, "run", "uses"), none, bigen.SliceOf(genEntry(value, stepKeys...), 0, 2))
	job := genMap(
		genEntry(value, "runs-on"),
		genEntry(genList(bigen.SliceOf(step, 1, 2)), "steps"),
		bigen.SliceOf(genEntry(value, jobKeys...), 0, 2))
	return genMap(
		genEntry(value, "on"),
		genEntry(genMap(none, none, bigen.SliceOf(genEntry(job, jobNames...), 1, 2)), "jobs"),
		bigen.SliceOf(genEntry(value, workflowKeys...), 0, 2))
}

// genValue makes any texts, lists and maps, nested to the depth.
func genValue(depth int) bigen.Gen[*yaml] {
	text := bigen.New(func(c *bigen.C, y *yaml) {
		y.Kind = "text"
		bigen.At(c, &y.Text, bigen.OneOf(texts...))
	})
	if depth == 0 {
		return text
	}
	none, sub := bigen.Nil[entry](), genValue(depth-1)
	return bigen.Pick(
		bigen.Tag("text", text).Weight(4),
		bigen.Tag("list", genList(bigen.SliceOf(sub, 0, 3))),
		bigen.Tag("map", genMap(none, none, bigen.SliceOf(genEntry(sub, otherKeys...), 0, 3))),
	)
}

func genList(list bigen.Gen[[]*yaml]) bigen.Gen[*yaml] {
	return bigen.New(func(c *bigen.C, y *yaml) {
		y.Kind = "list"
		bigen.At(c, &y.List, list)
	})
}

func genMap(first, second bigen.Gen[*entry], rest bigen.Gen[[]*entry]) bigen.Gen[*yaml] {
	return bigen.New(func(c *bigen.C, y *yaml) {
		y.Kind = "map"
		bigen.At(c, &y.First, first)
		bigen.At(c, &y.Second, second)
		bigen.At(c, &y.Rest, rest)
	})
}

func genEntry(value bigen.Gen[*yaml], keys ...string) bigen.Gen[*entry] {
	key := bigen.OneOf(keys...)
	return bigen.New(func(c *bigen.C, e *entry) {
		bigen.At(c, &e.Key, key)
		bigen.At(c, &e.Value, value)
	})
}

func (y *yaml) entries() []*entry {
	var all []*entry
	for _, e := range []*entry{y.First, y.Second} {
		if e != nil {
			all = append(all, e)
		}
	}
	return append(all, y.Rest...)
}

// render writes y as the value of a key or as an element of a list, or as the whole
// document if indent is empty.
func (y *yaml) render(b *strings.Builder, indent string) {
	entries := y.entries()
	switch {
	case y.Kind == "text":
		b.WriteString(" " + y.Text)
	case y.Kind == "list" && len(y.List) == 0:
		b.WriteString(" []")
	case y.Kind == "map" && len(entries) == 0:
		b.WriteString(" {}")
	}
	for _, v := range y.List {
		b.WriteString("\n" + indent + "-")
		v.render(b, indent+"  ")
	}
	for _, e := range entries {
		b.WriteString("\n" + indent + e.Key + ":")
		e.Value.render(b, indent+"  ")
	}
}

func (y *yaml) String() string {
	var b strings.Builder
	y.render(&b, "")
	return b.String() + "\n"
}

var linter = func() *actionlint.Linter {
	l, err := actionlint.NewLinter(io.Discard, &actionlint.LinterOptions{Oneline: true})
	if err != nil {
		panic(err)
	}
	return l
}()

func (y *yaml) valid() bool {
	errs, err := linter.Lint("<stdin>", []byte(y.String()), nil)
	return err == nil && len(errs) == 0
}

func (y *yaml) hash() hash { return hash(0).addText(y.String()) }

// size returns the number of texts.
func (y *yaml) size() int {
	if y.Kind == "text" {
		return 1
	}
	n := 0
	for _, v := range y.List {
		n += v.size()
	}
	for _, e := range y.entries() {
		n += e.Value.size()
	}
	return n
}
