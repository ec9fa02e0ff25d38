package syntax

import (
	"math/rand/v2"
	"reflect"

	"github.com/espalier-go/espalier/bigen"
)

// TokensOf returns the lexeme of the tokens of a [Lexer] that are of certain kinds, given by their
// names. The value of a token whose kind has a Text is that Text.
func TokensOf[T ~string](l *Lexer, names ...string) *Lexeme[T] { return tokens[T](l, names, false) }

// TokensExcept returns the lexeme of the tokens of all other kinds.
func TokensExcept[T ~string](l *Lexer, names ...string) *Lexeme[T] { return tokens[T](l, names, true) }

func tokens[T ~string](l *Lexer, names []string, others bool) *Lexeme[T] {
	return &Lexeme[T]{name: reflect.TypeFor[T]().Name(), lexer: l, kinds: l.set(names, others)}
}

// gen makes texts of kinds.
func (l *Lexer) gen(kinds []bool) bigen.Gen[string] {
	var alts []bigen.Alt[string]
	for i, k := range l.kinds {
		switch {
		case !kinds[i]:
		case k.Text != "":
			alts = append(alts, bigen.Tag(k.Name+" "+k.Mode, bigen.Just(k.Text)))
		default:
			for _, expr := range l.spellings(i) {
				g := bigen.SuchThat(bigen.Matching(expr), func(text string) bool {
					return l.isToken(text, i, kinds)
				})
				alts = append(alts, bigen.Tag(k.Name+" "+k.Mode+" "+expr, g))
			}
		}
	}
	if len(alts) == 0 {
		return bigen.SuchThat(bigen.Just(""), func(string) bool { return false })
	}
	return bigen.Pick(alts...)
}

// isToken reports whether a text is the value of a single token of one of some kinds, in the mode of
// kind or in one that leads there.
func (l *Lexer) isToken(text string, kind int, kinds []bool) bool {
	modes := []string{l.kinds[kind].Mode}
	for _, k := range l.kinds {
		if k.More {
			modes = append(modes, k.Mode)
		}
	}
	for _, m := range modes {
		t, _ := l.next(text, 0, stack{m, m})
		if t.end == len(text) && t.kind >= 0 && kinds[t.kind] && l.kinds[t.kind].valueOf(text) == text {
			return true
		}
	}
	return false
}

// valueOf returns the value of a token.
func (k *Kind) valueOf(text string) string {
	if k.Text != "" {
		return k.Text
	}
	return text
}

// spellings returns regular expressions of the tokens of a kind: its own, or with the beginnings
// that other kinds are.
func (l *Lexer) spellings(kind int) (all []string) {
	k := l.kinds[kind]
	within := "" // what more there may be in its mode
	for _, other := range l.kinds {
		if other.More && other.Mode == k.Mode && other.then == nil {
			within += "|" + other.Expr
		}
	}
	if within != "" {
		within = "(?:" + within[1:] + ")*"
	}
	for _, begin := range l.kinds {
		if begin.More && begin.Mode != k.Mode && begin.leads(k.Mode) {
			all = append(all, "(?:"+begin.Expr+")"+within+"(?:"+k.Expr+")")
		}
	}
	if len(all) == 0 {
		all = []string{within + "(?:" + k.Expr + ")"}
	}
	return all
}

// leads reports whether the mode after a token of k is that one.
func (k *Kind) leads(mode string) bool {
	modes := k.after(stack{k.Mode})
	return modes[len(modes)-1] == mode
}

// gapsOf returns texts that may be between tokens in a mode, and leave it as it is.
func (l *Lexer) gapsOf(m string) []string {
	of := l.modes[m]
	of.once.Do(func() {
		candidates := []string{" ", "\n", "\t", "\r\n"}
		for _, i := range of.kinds {
			if k := l.kinds[i]; k.Hidden && k.then == nil {
				candidates = append(candidates, short(k.Expr))
			}
		}
		for _, text := range candidates {
			t, after := l.next(text, 0, stack{m, m})
			if text != "" && t.end == len(text) && t.kind >= 0 && l.kinds[t.kind].Hidden &&
				after[len(after)-1] == m && len(after) == 2 {
				of.gaps = append(of.gaps, text)
			}
		}
	})
	return of.gaps
}

// short returns a short text that an expression matches.
func short(expr string) (text string) {
	g, r := bigen.Matching(expr), rand.New(rand.NewPCG(0, 0))
	for i := range 20 {
		if next := bigen.Sample(g, r); i == 0 || len(next) < len(text) {
			text = next
		}
	}
	return text
}
