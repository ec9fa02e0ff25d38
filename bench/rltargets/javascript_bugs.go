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

// exitParts has the parts of statements in which jumps may be, by the frames around them.
var exitParts = map[string][]struct {
	of    func(p *js) []*js
	frame exitFrame // may have no kind
}{
	"%":                       {{list, exitFrame{}}},
	"{%\n}":                   {{list, exitFrame{kind: "block"}}},
	"if ($) $":                {{second, exitFrame{}}},
	"if ($) $ else $":         {{second, exitFrame{}}, {third, exitFrame{}}},
	"while ($) $":             {{second, exitFrame{kind: "loop"}}},
	"do $ while ($);":         {{first, exitFrame{kind: "loop"}}},
	"for (@ a = $; $; a++) $": {{third, exitFrame{kind: "loop"}}},
	"for (@ e of $) $":        {{second, exitFrame{kind: "iterator"}}},
	"for ($ in $) $":          {{third, exitFrame{kind: "loop"}}},
	"function @(#) $":         {{first, exitFrame{kind: "function"}}},
	"@: $":                    {{first, exitFrame{kind: "label"}}},
	"try $ catch (@) $": {{first, exitFrame{}},
		{second, exitFrame{kind: "catch", scoped: true}}},
	"try $ finally $":  {{first, exitFrame{kind: "finally"}}, {second, exitFrame{}}},
	"switch ($) {%\n}": {{cases, exitFrame{kind: "switch"}}},
}

func first(p *js) []*js  { return []*js{p.A} }
func second(p *js) []*js { return []*js{p.B} }
func third(p *js) []*js  { return []*js{p.C} }
func list(p *js) []*js   { return p.List }

func cases(p *js) (body []*js) {
	for _, c := range p.List {
		if c.Text == "default: $" {
			body = append(body, c.A)
		} else {
			body = append(body, c.B)
		}
	}
	return body
}

func (w *exitWalk) walk(p *js) {
	switch p.Text {
	case "break;", "break @;", "continue;", "continue @;", "return $;":
		w.jump(p)
	}
	for _, part := range exitParts[p.Text] {
		frames, inner := w.frames, part.of(p)
		switch f := part.frame; f.kind {
		case "":
		case "label":
			w.frames = append(frames, exitFrame{kind: f.kind, label: p.Name})
		case "block", "switch":
			w.frames = append(frames, exitFrame{kind: f.kind, scoped: declares(inner)})
		default:
			f.scoped = f.scoped || strings.HasPrefix(p.Text, "for (@") && p.Name != "var"
			w.frames = append(frames, f)
		}
		for _, q := range inner {
			w.walk(q)
		}
		w.frames = frames
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

// jump notes what p leaves, from the innermost frame to its target's.
func (w *exitWalk) jump(p *js) {
	how, _, _ := strings.Cut(strings.TrimSuffix(p.Text, ";"), " ")
	j := exitJump{how: how, labeled: strings.Contains(p.Text, "@"), bug: w.bug, exit: how}
	for i, f := range slices.Backward(w.frames) {
		target := w.isTarget(j, p.Name, i)
		if target && how == "continue" {
			break // the loop continues
		}
		j.leave(f)
		if target {
			break
		}
	}
	w.exits = append(w.exits, j.exit)
}

// isTarget reports whether a jump leads to the i-th frame.
func (w *exitWalk) isTarget(j exitJump, label string, i int) bool {
	f := w.frames[i]
	switch {
	case f.kind == "function":
		return true
	case j.labeled:
		return w.labeled(i, label) || f.kind == "label" && f.label == label
	case j.how == "break":
		return f.loops() || f.kind == "switch"
	}
	return j.how == "continue" && f.loops()
}

// An exitJump is a jump that leaves frames.
type exitJump struct {
	how                 string // break, continue or return
	labeled             bool
	bug                 string
	caught, ran, closed bool // it has left a catch, a finally, an iterator
	exit                string
}

// leave notes what the jump does when it leaves a frame.
func (j *exitJump) leave(f exitFrame) {
	switch f.kind {
	case "finally":
		if !(j.how == "continue" && j.labeled && j.bug == "continue: label skips finally") {
			j.exit += " finally"
		}
		j.ran = true
	case "iterator":
		if !j.keepsOpen() {
			j.exit += " close"
		}
		j.closed = true
	case "catch":
		j.caught = true
	}
	if f.scoped && !j.keepsScope(f) {
		j.exit += " pop"
	}
}

// keepsOpen reports whether a bug leaves an iterator open.
func (j *exitJump) keepsOpen() bool {
	return j.labeled && j.how == "break" && j.closed && j.bug == "break: label closes one iterator" ||
		j.how == "return" && j.ran && j.bug == "return: finally hides iterators"
}

// keepsScope reports whether a bug keeps the scope of a frame.
func (j *exitJump) keepsScope(f exitFrame) bool {
	return j.how == "continue" && f.kind == "switch" && j.bug == "continue: switch keeps its scope" ||
		j.how == "break" && f.loops() && j.caught && j.bug == "break: catch hides the scope of a loop"
}
