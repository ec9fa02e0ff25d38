package plain

import (
	"encoding/binary"
	"strconv"
	"strings"

	"github.com/espalier-go/espalier/examples/planted"
)

// A script has at most maxCommands commands, nested to a depth of at most maxDepth.
const (
	maxCommands = 100
	maxDepth    = 3
)

// DecodeScript reads a script from bytes. It returns false if the bytes are not a script. A
// command begins with a byte for its verb, planted.Print to planted.Repeat, or for the end of
// a body. Then come, as far as the verb has them: the variable; the value, in four bytes,
// little-endian; the length of the text and the text; how many times.
func DecodeScript(b []byte) (script []planted.Command, ok bool) {
	d := decoder{b: b}
	script = d.script(0)
	return script, !d.failed
}

type decoder struct {
	b        []byte
	commands int // read so far
	failed   bool
}

// take takes the first n bytes. It returns zeros for those that are missing.
func (d *decoder) take(n int) []byte {
	if len(d.b) < n {
		d.failed, d.b = true, nil
		return make([]byte, n)
	}
	b := d.b[:n]
	d.b = d.b[n:]
	return b
}

// below takes a byte less than n.
func (d *decoder) below(n int) int {
	x := int(d.take(1)[0])
	if x >= n {
		d.failed = true
	}
	return x
}

const end = planted.Repeat + 1 // of a body

func (d *decoder) script(depth int) (script []planted.Command) {
	for !d.failed && (depth > 0 || len(d.b) > 0) {
		c := planted.Command{Op: planted.Verb(d.below(int(end) + 1))}
		if c.Op == end {
			d.failed = d.failed || depth == 0
			return script
		}
		d.arguments(&c, depth)
		script = append(script, c)
		d.commands++
		d.failed = d.failed || d.commands > maxCommands
	}
	return script
}

func (d *decoder) arguments(c *planted.Command, depth int) {
	switch c.Op {
	case planted.Say:
		c.Text = string(d.take(d.below(256)))
	case planted.Repeat:
		c.Times = 1 + d.below(3)
	default:
		c.Var = d.below(planted.Variables)
	}
	switch c.Op {
	case planted.Set, planted.Add:
		c.Value = int32(binary.LittleEndian.Uint32(d.take(4)))
	case planted.If, planted.Repeat:
		if depth == maxDepth {
			d.failed = true
			return
		}
		c.Body = d.script(depth + 1)
	}
}

// ParseScript reads a script from text. It returns false if the text is not a script.
// Variables are a to d, values are decimal, a text is one word, and times are 1 to 3.
func ParseScript(s string) (script []planted.Command, ok bool) {
	p := parser{lines: strings.Split(s, "\n")}
	script = p.script(0)
	return script, !p.failed
}

type parser struct {
	lines    []string
	commands int // read so far
	failed   bool
}

func (p *parser) script(depth int) (script []planted.Command) {
	for !p.failed {
		if len(p.lines) == 0 {
			p.failed = depth > 0
			return script
		}
		words := strings.Fields(p.lines[0])
		p.lines = p.lines[1:]
		if len(words) == 0 {
			continue
		}
		if words[0] == "end" {
			p.failed = depth == 0 || len(words) > 1
			return script
		}
		script = append(script, p.command(words, depth))
		if p.commands++; p.commands > maxCommands {
			p.failed = true
		}
	}
	return script
}

// command reads a command from the words of its line, and its body, if it has one, from the
// lines that follow.
func (p *parser) command(words []string, depth int) (c planted.Command) {
	verb := next(&words)
	switch verb {
	case "print":
		c.Op = planted.Print
		c.Var = p.variable(next(&words))
	case "set":
		c.Op = planted.Set
		c.Var = p.variable(next(&words))
		c.Value = p.value(next(&words))
	case "add":
		c.Op = planted.Add
		c.Var = p.variable(next(&words))
		c.Value = p.value(next(&words))
	case "say":
		c.Op = planted.Say
		c.Text = next(&words)
	case "if":
		c.Op = planted.If
		c.Var = p.variable(next(&words))
	case "repeat":
		c.Op = planted.Repeat
		c.Times = int(p.value(next(&words)))
		p.failed = p.failed || c.Times < 1 || c.Times > 3
	default:
		p.failed = true
	}
	if len(words) > 0 {
		p.failed = true
	}
	if c.Op == planted.If || c.Op == planted.Repeat {
		if p.failed || depth == maxDepth {
			p.failed = true
			return c
		}
		c.Body = p.script(depth + 1)
	}
	return c
}

func (p *parser) variable(word string) int {
	if len(word) != 1 || word[0] < 'a' || word[0] >= 'a'+planted.Variables {
		p.failed = true
		return 0
	}
	return int(word[0] - 'a')
}

func (p *parser) value(word string) int32 {
	n, err := strconv.ParseInt(word, 10, 32)
	if err != nil {
		p.failed = true
	}
	return int32(n)
}
