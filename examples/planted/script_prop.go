package planted

import (
	"math"
	"testing"

	"github.com/espalier-go/espalier/bigen"
)

// GenScript makes scripts of up to 8 commands, nested to a depth of three.
var GenScript = genScript(3)

func genScript(depth int) bigen.Gen[[]Command] {
	variable := func(c *bigen.C, cmd *Command) {
		bigen.At(c, &cmd.Var, bigen.IntRange(0, Variables-1))
	}
	value := func(c *bigen.C, cmd *Command) {
		variable(c, cmd)
		bigen.At(c, &cmd.Value, bigen.IntRange[int32](math.MinInt32, math.MaxInt32))
	}
	alternatives := []bigen.Alt[Command]{
		bigen.Tag("print", genCommand(Print, variable)),
		bigen.Tag("set", genCommand(Set, value)),
		bigen.Tag("add", genCommand(Add, value)),
		bigen.Tag("say", genCommand(Say, func(c *bigen.C, cmd *Command) {
			bigen.At(c, &cmd.Text, bigen.Matching(`[a-z-]{0,16}`))
		})),
	}
	if depth > 0 {
		body := genScript(depth - 1)
		alternatives = append(alternatives,
			bigen.Tag("if", genCommand(If, func(c *bigen.C, cmd *Command) {
				variable(c, cmd)
				bigen.At(c, &cmd.Body, body)
			})),
			bigen.Tag("repeat", genCommand(Repeat, func(c *bigen.C, cmd *Command) {
				bigen.At(c, &cmd.Times, bigen.IntRange(1, 3))
				bigen.At(c, &cmd.Body, body)
			})))
	}
	return bigen.SliceOf(bigen.Pick(alternatives...), 0, 8)
}

func genCommand(op Verb, arguments func(*bigen.C, *Command)) bigen.Gen[Command] {
	return bigen.Struct(func(c *bigen.C, cmd *Command) {
		bigen.At(c, &cmd.Op, bigen.Just(op))
		arguments(c, cmd)
	})
}

// CheckScript checks that the program of a script prints what the script does.
func CheckScript(t testing.TB, script []Command) {
	if got, want := Translate(script).Run(), Interpret(script); got != want {
		t.Errorf("the program prints %q, want %q", got, want)
	}
}
