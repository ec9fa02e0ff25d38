package grammar

import (
	"cmp"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A kind is tokens of a lexer, as in package bigen/syntax.
type kind struct {
	Name, Text, Expr, Mode string
	Hidden, More           bool
	Then                   string
	pos                    string
}

// Quoted returns the name of a kind, or the name that package bigen/syntax gives it.
func (k kind) Quoted() string { return cmp.Or(k.Name, "'"+k.Text+"'") }

// A command is what a lexer does with a token: skip, type(NAME) and the like.
type command struct{ name, arg string }

// maxPattern bounds the regular expression of a token, in bytes.
const maxPattern = 1 << 16

// makeKinds makes the kinds of a grammar with a lexer: first those of literals in rules of the
// parser that no lexical rule has, then those of lexical rules, all in their order.
func (g *Grammar) makeKinds() (errs []error) {
	g.texts = map[string][]string{}
	var own []kind
	for _, r := range g.Rules {
		if !r.Lexical || r.Fragment {
			continue
		}
		kinds, err := g.kindsOf(r)
		if err != nil {
			errs = append(errs, err)
		}
		own = append(own, kinds...)
	}
	continued(own)
	for _, k := range own {
		if k.Text != "" && !k.More {
			g.texts[k.Text] = append(g.texts[k.Text], k.Name)
		}
	}
	for _, r := range g.Rules {
		if r.Lexical {
			continue
		}
		r.Body.walk(func(e *Expr) bool {
			if e.Op == Lit && e.Text != "" && g.texts[e.Text] == nil {
				k := kind{Text: e.Text, Expr: foldedText(e), pos: e.Pos}
				g.kinds, g.texts[e.Text] = append(g.kinds, k), []string{k.Quoted()}
			}
			return true
		})
	}
	g.kinds = append(g.kinds, own...)
	if len(errs) == 0 {
		g.kinds = g.withoutShadowed(g.kinds)
	}
	g.tokens = g.tokenTexts()
	return errs
}

// withoutShadowed returns kinds without those whose text is always a token of an earlier kind, and
// notes which these are.
func (g *Grammar) withoutShadowed(kinds []kind) (all []kind) {
	whole := map[string][]*regexp.Regexp{} // of kinds that are not a text, by modes
	texts := map[string]kind{}             // by modes and texts in lower case
	for _, k := range kinds {
		key := k.Mode + " " + strings.ToLower(k.Text)
		before, found := texts[key]
		found = found && (before.Expr != "" || before.Text == k.Text) ||
			slices.ContainsFunc(whole[k.Mode], func(re *regexp.Regexp) bool { return re.MatchString(k.Text) })
		switch {
		case k.Text == "":
			whole[k.Mode] = append(whole[k.Mode], regexp.MustCompile(`\A(?:`+k.Expr+`)\z`))
		case found:
			g.note(k.pos, "%q is always another token, which is before it", k.Text)
			g.texts[k.Text] = slices.DeleteFunc(g.texts[k.Text], func(name string) bool {
				return name == k.Quoted()
			})
			continue
		default:
			texts[key] = k
		}
		all = append(all, k)
	}
	return all
}

// continued removes the texts of kinds in modes in which a token may have begun already.
func continued(kinds []kind) {
	begun := map[string]bool{}
	for _, k := range kinds {
		if k.More {
			begun[k.Mode] = begun[k.Mode] || k.Then == ""
			for _, change := range strings.Split(k.Then, ", ") {
				if _, mode, ok := strings.Cut(change, " "); ok {
					begun[mode] = true
				}
			}
		}
	}
	for i, k := range kinds {
		if begun[k.Mode] && k.Text != "" {
			kinds[i].Text, kinds[i].Expr = "", cmp.Or(k.Expr, regexp.QuoteMeta(k.Text))
		}
	}
}

// foldedText returns the regular expression of a literal, empty if that is its text.
func foldedText(e *Expr) string {
	if e.Fold && strings.ToLower(e.Text) != strings.ToUpper(e.Text) {
		return "(?i:" + (&Expr{Text: e.Text}).literal() + ")"
	}
	return ""
}

// kindsOf returns the kinds of a rule: one, or one for each alternative if these have commands.
func (g *Grammar) kindsOf(r *Rule) (all []kind, err error) {
	bodies := []*Expr{r.Body}
	if r.Body.Op == Alt && slices.ContainsFunc(r.Body.Kids, func(e *Expr) bool {
		return e.commands != nil
	}) {
		bodies = r.Body.Kids
	}
	for _, body := range bodies {
		k := kind{Name: r.Name, Mode: r.Mode, pos: body.Pos}
		k.obey(body.commands)
		text, folded, fixed := g.fixed(body)
		switch {
		case !fixed || text == "":
			k.Expr = g.pattern(body, loose)
		case folded:
			k.Text, k.Expr = text, "(?i:"+(&Expr{Text: text}).literal()+")"
		default:
			k.Text = text
		}
		if k.Hidden {
			k.Name = ""
		}
		re, err := syntax.Parse(k.Expr, syntax.Perl)
		switch {
		case err != nil:
			return all, fmt.Errorf("%s: the rule %s is not a regular expression of Go: %w", r.Pos, r.Name, err)
		case len(k.Expr) > maxPattern:
			return all, fmt.Errorf("%s: the rule %s is too large, with the rules in it written out", r.Pos, r.Name)
		case k.Text == "" && !consumes(re.Simplify()):
			g.note(r.Pos, "rule %s: no token is of its form", r.Name)
			continue
		}
		all = append(all, k)
	}
	return all, nil
}

// obey does what commands say.
func (k *kind) obey(commands []command) {
	var then []string
	for _, c := range commands {
		mode := c.arg
		if mode == "DEFAULT_MODE" {
			mode = ""
		}
		switch c.name {
		case "skip":
			k.Hidden = true
		case "channel":
			k.Hidden = c.arg != "DEFAULT_TOKEN_CHANNEL" && c.arg != "0"
		case "more":
			k.More = true
		case "type":
			k.Name = c.arg
		case "pushMode":
			then = append(then, strings.TrimSpace("push "+mode))
		case "popMode":
			then = append(then, "pop")
		case "mode":
			then = append(then, strings.TrimSpace("mode "+mode))
		}
	}
	k.Then = strings.Join(then, ", ")
}

// consumes reports whether an expression matches any text that is not empty.
func consumes(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpNoMatch, syntax.OpEmptyMatch, syntax.OpEndText, syntax.OpBeginText:
		return false
	case syntax.OpCharClass:
		return possible(re)
	case syntax.OpConcat:
		return slices.ContainsFunc(re.Sub, consumes) && possible(re)
	case syntax.OpAlternate, syntax.OpStar, syntax.OpPlus, syntax.OpQuest, syntax.OpCapture:
		return slices.ContainsFunc(re.Sub, consumes)
	}
	return true
}

// possible reports whether an expression matches any text.
func possible(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpNoMatch:
		return false
	case syntax.OpCharClass: // halves of surrogate pairs are in no text
		return slices.ContainsFunc(re.Rune, utf8.ValidRune)
	case syntax.OpConcat, syntax.OpPlus, syntax.OpCapture:
		return !slices.ContainsFunc(re.Sub, func(re *syntax.Regexp) bool { return !possible(re) })
	case syntax.OpAlternate:
		return slices.ContainsFunc(re.Sub, possible)
	}
	return true
}

// fixed returns the text of an expression that has only one, but for the case of letters.
func (g *Grammar) fixed(e *Expr) (text string, folded, ok bool) {
	switch e.Op {
	case Lit:
		return e.Text, e.Fold && strings.ToLower(e.Text) != strings.ToUpper(e.Text), true
	case Ref:
		r := g.rules[e.Text]
		if r.recursive {
			return "", false, false
		}
		return g.fixed(r.Body)
	case Set:
		return letterOf(e.units)
	case Seq, Alt:
		for i, kid := range e.Kids {
			one, fold, ok := g.fixed(kid)
			switch {
			case !ok || e.Op == Alt && i > 0 && !strings.EqualFold(text, one):
				return "", false, false
			case e.Op == Seq:
				text += one
			case i == 0:
				text = one
			}
			folded = folded || fold || e.Op == Alt && one != text
		}
		return text, folded, len(e.Kids) > 0
	}
	return "", false, false
}

// letterOf returns the only character of a set, or the first one of a letter in both cases.
func letterOf(ranges []rune) (text string, folded, ok bool) {
	var all []rune
	for i := 0; i < len(ranges); i += 2 {
		if ranges[i] != ranges[i+1] || ranges[i]&^0x7ff == 0xd800 {
			return "", false, false
		}
		all = append(all, ranges[i])
	}
	switch {
	case len(all) == 0 || len(all) > 2 || unicode.ToLower(all[0]) != unicode.ToLower(all[len(all)-1]):
		return "", false, false
	case len(all) == 2 && all[0] == all[1]:
		all = all[:1]
	}
	return string(all[0]), len(all) == 2, true
}

// tokenTexts returns the kinds that can be parts of rules, by their names, with the text that each
// kind of a name has, empty if there is no such text.
func (g *Grammar) tokenTexts() map[string]string {
	texts := map[string]string{}
	for _, k := range g.kinds {
		if k.Hidden || k.More {
			continue
		}
		text, again := texts[k.Quoted()]
		if again && text != k.Text {
			k.Text = ""
		}
		texts[k.Quoted()] = k.Text
	}
	return texts
}

// setSpace replaces hidden tokens by those that match an expression, in each mode; empty for none.
func (g *Grammar) setSpace(expr string) {
	g.kinds = slices.DeleteFunc(g.kinds, func(k kind) bool { return k.Hidden })
	var modes []string
	for _, k := range g.kinds {
		if expr != "" && !slices.Contains(modes, k.Mode) {
			modes = append(modes, k.Mode)
			g.kinds = append(g.kinds, kind{Expr: expr, Mode: k.Mode, Hidden: true})
		}
	}
}
