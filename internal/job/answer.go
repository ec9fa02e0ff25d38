package job

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"time"
)

// A Status says what became of a value.
type Status string

// The statuses of values, and of bytes that stand for none.
const (
	Valid    Status = "valid"    // the property holds, or has not run
	Invalid  Status = "invalid"  // the property does not assume the value
	Failing  Status = "failing"  // the property fails
	Hanging  Status = "hanging"  // the property does not return
	Fatal    Status = "fatal"    // the property, or the generator, ends the process
	Rejected Status = "rejected" // the generator does not make the value
	Plain    Status = "plain"    // the target has no generator, and has not run
)

// An Entry is a value that an order has made or read.
type Entry struct {
	Number int    // of the mutant, the file or the value, in the order
	Of     string // the file that the value is from, or the parent of a mutant
	Drawn  bool   `json:",omitempty"` // the value is from no file, but random
	Status Status
	Why    string   `json:",omitempty"` // it has the status, for people
	Data   []byte   `json:",omitempty"` // the []byte argument that stands for the value
	Value  string   `json:",omitempty"` // as a Go literal
	File   []byte   `json:",omitempty"` // that keeps the value, in the format ordered
	Tree   Tree     `json:",omitempty"` // its choices
	Parent Tree     `json:",omitempty"` // the choices of the parent
	Labels []string `json:",omitempty"`
	Code   *Code    `json:",omitempty"` // that keeps the value
	Place  string   `json:",omitempty"` // where the property fails
	Saved  string   `json:",omitempty"` // the file of a failure, relative to the package
}

// A Verdict is what a run of a property tells about its value.
type Verdict struct {
	Status Status
	Labels []string
	Why    string // it fails, or counts as one that does not return
	Place  string // where it fails
}

// A Code is code of the target's package that keeps a value.
type Code struct {
	Seed string // a line that adds the value to the seeds of the target, or an option of Check
	Test string // a test that begins with the value; "" if it cannot be written
	File string // with the call of fuzzext, to which the seed belongs
	Line int    // of the call, from 1
}

// An End says how an order has ended.
type End struct {
	Tried    int           // values made
	Old      int           // of them, those known before
	Invalid  int           // those that the property does not assume
	Rejected int           // those that the generator does not make
	Parents  int           // entries mutated
	Spent    time.Duration // since the first value was made, if that is limited
	Next     int           // the number of the next mutant
	Note     string        // why there is less than ordered, if that is not an error
	Error    string        // what went wrong
}

// Checked is for how many values the property has held, failed or ended the process.
func (e *End) Checked() int { return e.Tried - e.Old - e.Invalid - e.Rejected }

// An Answer is the result of an Order.
type Answer struct {
	Entries []Entry
	Tuned   *Tuned // what comes of a Tune
	Begun   *Entry // whose run has not ended; nil if there is none
	SoFar   *End   // what End would be, when that run began
	End     *End   // nil if the process ended before
}

// A line is one line of an answer's file. It has one of the fields.
type line struct {
	Entry *Entry `json:",omitempty"`
	Tuned *Tuned `json:",omitempty"`
	End   *End   `json:",omitempty"`
}

// A begun is the only line of the file beside an answer, which is written again for each
// value. It is up to date if the answer has as many lines as it says.
type begun struct {
	Lines    int
	Failures int // of the entries in them
	Entry    Entry
	SoFar    End
}

// A Writer writes the answer to an order.
type Writer struct {
	file, begun *os.File
	lines       int
	failures    int
	err         error
}

// begunFile is the path of the file that holds a [begun].
func (o *Order) begunFile() string { return o.Answer + ".begun" }

// Reply returns a Writer of the answer to o. An answer that exists is replaced.
func (o *Order) Reply() (*Writer, error) {
	b, err := os.Create(o.begunFile())
	if err != nil {
		return nil, err
	}
	f, err := os.Create(o.Answer)
	if err != nil {
		return nil, errors.Join(err, b.Close())
	}
	return &Writer{file: f, begun: b}, nil
}

// Begin says which value is about to be run, and how the order would end now. If the process
// ends before the next call, the value has ended it; or, if the value is failing already, one
// of those that were tried to minimize it.
func (w *Writer) Begin(e Entry, soFar End) {
	// A longer line before it leaves a rest.
	w.write(begun{w.lines, w.failures, e, soFar}, func(b []byte) (int, error) {
		return w.begun.WriteAt(b, 0)
	})
}

// Put adds an entry to the answer.
func (w *Writer) Put(e Entry) {
	switch e.Status {
	case Failing, Hanging, Fatal:
		w.failures++
	}
	w.put(line{Entry: &e})
}

// Tuned adds a model to the answer.
func (w *Writer) Tuned(t *Tuned) { w.put(line{Tuned: t}) }

// End ends the answer. It returns the first error of writing it.
func (w *Writer) End(e End) error {
	w.put(line{End: &e})
	return errors.Join(w.err, w.file.Close(), w.begun.Close())
}

// put writes a line at once: what has been written survives the process.
func (w *Writer) put(l line) {
	w.lines++
	w.write(l, w.file.Write)
}

// write writes a line of JSON, unless there was an error before.
func (w *Writer) write(v any, to func([]byte) (int, error)) {
	if w.err != nil {
		return
	}
	var b []byte
	if b, w.err = json.Marshal(v); w.err == nil {
		_, w.err = to(append(b, '\n'))
	}
}

// ReadAnswer returns the answer to o, or nil if the target has not begun it. An answer may
// end anywhere: a last line that is not whole does not count.
func (o *Order) ReadAnswer() (*Answer, error) {
	b, err := os.ReadFile(o.Answer)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	a := &Answer{}
	lines := 0
	for {
		text, rest, whole := bytes.Cut(b, []byte("\n"))
		if !whole {
			break
		}
		b = rest
		lines++
		var l line
		if err := json.Unmarshal(text, &l); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", o.Answer, lines, err)
		}
		switch {
		case l.Entry != nil:
			a.Entries = append(a.Entries, *l.Entry)
		case l.Tuned != nil:
			a.Tuned = l.Tuned
		case l.End != nil:
			a.End = l.End
		}
	}
	if last, ok := o.readBegun(); ok && last.Lines == lines {
		a.Begun, a.SoFar = &last.Entry, &last.SoFar
	}
	return a, nil
}

// readBegun reads what has begun. It reports false if that is not known: nothing has begun, or
// the process is just writing it.
func (o *Order) readBegun() (last begun, ok bool) {
	b, _ := os.ReadFile(o.begunFile())
	text, _, whole := bytes.Cut(b, []byte("\n"))
	return last, whole && json.Unmarshal(text, &last) == nil
}

// A Progress says how far a process has got with an order.
type Progress struct {
	End          // as it would be now
	Number   int // of the value that runs
	Failures int // values for which the property fails
}

// Progress reads how far the process that carries out o has got. It reports false if that is
// not known.
func (o *Order) Progress() (p Progress, ok bool) {
	last, ok := o.readBegun()
	return Progress{End: last.SoFar, Number: last.Entry.Number, Failures: last.Failures}, ok
}

// Add adds what another process says to the end of a.
func (a *Answer) Add(e *End) {
	if e == nil {
		return
	}
	if a.End == nil {
		a.End = &End{}
	}
	a.End.Tried += e.Tried
	a.End.Old += e.Old
	a.End.Invalid += e.Invalid
	a.End.Rejected += e.Rejected
	a.End.Spent += e.Spent
	a.End.Parents, a.End.Next, a.End.Note, a.End.Error = e.Parents, e.Next, e.Note, e.Error
}

// Rest returns what remains of the order after an answer that has stopped early, and reports
// whether that is anything. An answer stops early if the process ends, or if a run of the
// property does not return. Such a run is expensive: nothing remains of a Mutate. Nor does
// anything of a Make, which is not divisible.
func (o Order) Rest(a *Answer) (rest Order, more bool) {
	hangs := len(a.Entries) > 0 && a.Entries[len(a.Entries)-1].Status == Hanging
	next := 0
	switch {
	case a.End != nil && !hangs:
		return o, false
	case a.End != nil:
		next = a.End.Next
	case a.Begun != nil:
		next = a.Begun.Number + 1
	}
	switch {
	case o.Mutate != nil:
		m, done := o.Mutate.rest(a)
		m.From, o.Mutate = next, &m
		return o, !hangs && !done
	case o.Read != nil:
		r := *o.Read
		r.From, o.Read = next, &r
		return o, true
	}
	return o, false
}

// rest returns what remains of m after an answer, but for where it begins, and whether m is done.
func (m Mutate) rest(a *Answer) (rest Mutate, done bool) {
	entries := a.Entries
	if a.Begun != nil {
		entries = append(slices.Clip(entries), *a.Begun)
	}
	made := 0
	for _, e := range entries {
		switch e.Status {
		case Valid:
			made++
		case Failing:
			m.Known = append(slices.Clip(m.Known), e.Place)
		}
	}
	if m.Check && a.SoFar != nil {
		made = a.SoFar.Checked()
	}
	if m.N > 0 {
		done = made >= m.N
		m.N -= made
	}
	if m.Limit > 0 && a.SoFar != nil {
		m.Limit -= a.SoFar.Spent
		done = done || m.Limit <= 0
	}
	return m, done
}
