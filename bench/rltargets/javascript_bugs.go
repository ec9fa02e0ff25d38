package rltargets

import (
	"slices"
	"strings"
)

// exitBugs are the bugs of a compiler's pass: what a jump leaves on its way.
var exitBugs = []string{
	"continue: switch keeps its scope",
	"continue: label skips finally",
	"break: label closes one iterator",
	"return: finally hides iterators",
	"break: catch hides the scope of a loop",
}

// shows reports whether a pass with the bug finds other ways out of the jumps of p, which is valid.
func (p *js) shows(bug string) bool {
	return !slices.Equal(p.exits(""), p.exits(bug))
}

// exits returns for each jump in p what it leaves: scopes to pop, iterators to close, and blocks
// after finally to run.
func (p *js) exits(bug string) []string {
	w := exitWalk{bug: bug}
	w.walk(p)
	return w.exits
}

// An exitWalk walks through a program.
type exitWalk struct {
	bug    string
	frames []exitFrame // around the statement
	exits  []string
}

// An exitFrame is a statement, or a part of one, that a jump may leave.
type exitFrame struct {
	kind   string // block, loop, iterator, switch, label, catch, finally or function
	label  string
	scoped bool // has variables of its own
}

// inside walks through a part that is inside of a frame.
func (w *exitWalk) inside(f exitFrame, p *js) {
	w.frames = append(w.frames, f)
	w.walk(p)
	w.frames = w.frames[:len(w.frames)-1]
}

func (w *exitWalk) walk(p *js) {
	switch p.Text {
	case "%":
		w.all(p.List)
	case "{%\n}":
		w.frames = append(w.frames, exitFrame{kind: "block", scoped: declares(p.List)})
		w.all(p.List)
		w.frames = w.frames[:len(w.frames)-1]
	case "if ($) $":
		w.walk(p.B)
	case "if ($) $ else $":
		w.walk(p.B)
		w.walk(p.C)
	case "while ($) $":
		w.inside(exitFrame{kind: "loop"}, p.B)
	case "do $ while ($);":
		w.inside(exitFrame{kind: "loop"}, p.A)
	case "for (@ a = $; $; a++) $":
		w.inside(exitFrame{kind: "loop", scoped: p.Name != "var"}, p.C)
	case "for (@ e of $) $":
		w.inside(exitFrame{kind: "iterator", scoped: p.Name != "var"}, p.B)
	case "for ($ in $) $":
		w.inside(exitFrame{kind: "loop"}, p.C)
	case "function @(#) $":
		w.inside(exitFrame{kind: "function"}, p.A)
	case "@: $":
		w.inside(exitFrame{kind: "label", label: p.Name}, p.A)
	case "try $ catch (@) $":
		w.walk(p.A)
		w.inside(exitFrame{kind: "catch", scoped: true}, p.B)
	case "try $ finally $":
		w.inside(exitFrame{kind: "finally"}, p.A)
		w.walk(p.B)
	case "switch ($) {%\n}":
		var body []*js
		for _, c := range p.List {
			if c.Text == "default: $" {
				body = append(body, c.A)
			} else {
				body = append(body, c.B)
			}
		}
		w.frames = append(w.frames, exitFrame{kind: "switch", scoped: declares(body)})
		w.all(body)
		w.frames = w.frames[:len(w.frames)-1]
	case "break;", "break @;", "continue;", "continue @;", "return $;":
		w.jump(p)
	}
}

func (w *exitWalk) all(list []*js) {
	for _, p := range list {
		w.walk(p)
	}
}

func declares(list []*js) bool {
	return slices.ContainsFunc(list, func(p *js) bool {
		return strings.HasPrefix(p.Text, "let ") || strings.HasPrefix(p.Text, "const ")
	})
}

func (f exitFrame) loops() bool { return f.kind == "loop" || f.kind == "iterator" }

// labeled reports whether the i-th frame has the label.
func (w *exitWalk) labeled(i int, label string) bool {
	for i--; i >= 0 && w.frames[i].kind == "label"; i-- {
		if w.frames[i].label == label {
			return true
		}
	}
	return false
}

// jump notes what p leaves, from the innermost frame to that of its target.
func (w *exitWalk) jump(p *js) {
	how, _, _ := strings.Cut(strings.TrimSuffix(p.Text, ";"), " ")
	labeled := strings.Contains(p.Text, "@")
	exit := how
	caught, ran, closed := false, false, false
	for i, f := range slices.Backward(w.frames) {
		target := f.kind == "function" ||
			labeled && (w.labeled(i, p.Name) || f.kind == "label" && f.label == p.Name) ||
			!labeled && how == "break" && (f.loops() || f.kind == "switch") ||
			!labeled && how == "continue" && f.loops()
		if target && how == "continue" {
			break // the loop goes on
		}
		switch {
		case f.kind == "finally":
			if how != "continue" || !labeled || w.bug != "continue: label skips finally" {
				exit += " finally"
			}
			ran = true
		case f.kind == "iterator":
			if !(labeled && how == "break" && closed && w.bug == "break: label closes one iterator") &&
				!(how == "return" && ran && w.bug == "return: finally hides iterators") {
				exit += " close"
			}
			closed = true
		case f.kind == "catch":
			caught = true
		}
		if f.scoped && !(how == "continue" && f.kind == "switch" && w.bug == "continue: switch keeps its scope") &&
			!(how == "break" && f.loops() && caught && w.bug == "break: catch hides the scope of a loop") {
			exit += " pop"
		}
		if target {
			break
		}
	}
	w.exits = append(w.exits, exit)
}
