package plain

import (
	"strconv"
	"strings"

	"github.com/espalier-go/espalier/examples/planted"
)

// DecodePlan reads a plan from bytes, in prefix notation. Each byte is an operator: three bits
// for its kind, three for its column. Missing bytes are scans of table 0.
func DecodePlan(b []byte) *planted.Plan {
	return decodePlan(&b)
}

func decodePlan(b *[]byte) *planted.Plan {
	x := 0
	if len(*b) > 0 {
		x = int((*b)[0])
		*b = (*b)[1:]
	}
	p := &planted.Plan{Op: planted.Operator(max(0, x&7-1))}
	if p.Op != planted.Reverse {
		p.N = x >> 3 & 7
	}
	if p.Op != planted.Scan {
		p.In = decodePlan(b)
	}
	if p.Op == planted.Semijoin {
		p.Right = decodePlan(b)
	}
	return p
}

// ParsePlan reads a plan from text. It returns false if the text is not a plan.
func ParsePlan(s string) (p *planted.Plan, ok bool) {
	words := strings.Fields(s)
	p, ok = parsePlan(&words)
	return p, ok && len(words) == 0
}

func parsePlan(words *[]string) (p *planted.Plan, ok bool) {
	p = &planted.Plan{}
	if p.Op, ok = parseOperator(next(words)); !ok {
		return nil, false
	}
	if p.Op != planted.Reverse {
		n, err := strconv.Atoi(next(words))
		if err != nil || n < 0 || n >= planted.Columns {
			return nil, false
		}
		p.N = n
	}
	if p.Op != planted.Scan {
		if p.In, ok = parsePlan(words); !ok {
			return nil, false
		}
	}
	if p.Op == planted.Semijoin {
		if p.Right, ok = parsePlan(words); !ok {
			return nil, false
		}
	}
	return p, true
}

func parseOperator(word string) (op planted.Operator, ok bool) {
	switch word {
	case "scan":
		return planted.Scan, true
	case "sort":
		return planted.Sort, true
	case "distinct":
		return planted.Distinct, true
	case "filter":
		return planted.Filter, true
	case "limit":
		return planted.Limit, true
	case "reverse":
		return planted.Reverse, true
	case "semijoin":
		return planted.Semijoin, true
	}
	return 0, false
}

// next takes the first word. It returns "" if there is none.
func next(words *[]string) string {
	if len(*words) == 0 {
		return ""
	}
	word := (*words)[0]
	*words = (*words)[1:]
	return word
}
