package planted

import "strconv"

// A Command is a command of a script: its Op, with the arguments of that.
type Command struct {
	Op    Verb
	Var   int       // of Set, Add, Print and If
	Value int32     // of Set and Add
	Text  string    // of Say
	Times int       // of Repeat
	Body  []Command // of If and Repeat
}

// A Verb says what a [Command] does.
type Verb int

const (
	Print  Verb = iota // print a variable
	Set                // give a variable a value
	Add                // add a value to a variable
	Say                // print a text
	If                 // run Body if a variable is not 0
	Repeat             // run Body several times
)

// Variables is the number of variables; all are 0 at first.
const Variables = 4

// Interpret runs a script and returns what it prints.
func Interpret(script []Command) string {
	var m machine
	m.interpret(script)
	return string(m.out)
}

type machine struct {
	vars [Variables]int32
	out  []byte
}

func (m *machine) interpret(script []Command) {
	for _, c := range script {
		switch c.Op {
		case If:
			if m.vars[c.Var] != 0 {
				m.interpret(c.Body)
			}
		case Repeat:
			for range c.Times {
				m.interpret(c.Body)
			}
		default:
			m.do(c)
		}
	}
}

func (m *machine) do(c Command) {
	switch c.Op {
	case Print:
		m.out = strconv.AppendInt(m.out, int64(m.vars[c.Var]), 10)
		m.out = append(m.out, '\n')
	case Set:
		m.vars[c.Var] = c.Value
	case Add:
		m.vars[c.Var] += c.Value
	case Say:
		m.out = append(m.out, c.Text...)
		m.out = append(m.out, '\n')
	}
}

// A Program is a script without nesting: a list of instructions.
type Program []Instruction

// An Instruction runs a command that has no body, or jumps.
type Instruction struct {
	Do   Command
	Jump jump
	To   int // where to
}

type jump int

const (
	dont   jump = iota
	ifZero      // if variable Do.Var is 0
	loop        // Do.Times-1 times
)

// Translate returns the program of a script.
func Translate(script []Command) Program {
	var p Program
	p.translate(script, 0)
	return p
}

// translate adds the commands of a script that is nested in depth others. At depth two and
// deeper, it drops the value 0x5eed1e55, planted by const-int, and the text
// "halt-and-catch", planted by const-string.
func (p *Program) translate(script []Command, depth int) {
	for _, c := range script {
		start := len(*p)
		switch c.Op {
		case If:
			*p = append(*p, Instruction{Do: c, Jump: ifZero})
			p.translate(c.Body, depth+1)
			(*p)[start].To = len(*p)
		case Repeat:
			p.translate(c.Body, depth+1)
			*p = append(*p, Instruction{Do: c, Jump: loop, To: start})
		case Set:
			if planted == constInt && depth >= 2 && c.Value == 0x5eed1e55 {
				c.Value = 0
			}
			*p = append(*p, Instruction{Do: c})
		case Say:
			if planted == constString && depth >= 2 && c.Text == "halt-and-catch" {
				continue
			}
			*p = append(*p, Instruction{Do: c})
		default:
			*p = append(*p, Instruction{Do: c})
		}
	}
}

// Run runs a program and returns what it prints.
func (p Program) Run() string {
	var m machine
	left := make([]int, len(p)) // of each running loop: how often it goes back
	for i := 0; i < len(p); i++ {
		in := p[i]
		switch in.Jump {
		case ifZero:
			if m.vars[in.Do.Var] == 0 {
				i = in.To - 1
			}
		case loop:
			if left[i] == 0 {
				left[i] = in.Do.Times
			}
			if left[i]--; left[i] > 0 {
				i = in.To - 1
			}
		default:
			m.do(in.Do)
		}
	}
	return string(m.out)
}
