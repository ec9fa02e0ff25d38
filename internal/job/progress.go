package job

import (
	"bytes"
	"encoding/json"
	"os"
)

// A Progress says how far a process has got with an order.
type Progress struct {
	End          // as it would be now
	Number   int // of the value that runs
	Failures int // values for which the property fails
}

// Progress reads how far the process that carries out o has got. It reports false if that is
// not known: nothing has begun, or the process is just writing it.
func (o *Order) Progress() (p Progress, ok bool) {
	b, err := os.ReadFile(o.begunFile())
	if err != nil {
		return p, false
	}
	text, _, whole := bytes.Cut(b, []byte("\n"))
	var last begun
	if !whole || json.Unmarshal(text, &last) != nil {
		return p, false
	}
	return Progress{End: last.SoFar, Number: last.Entry.Number, Failures: last.Failures}, true
}
