package point

import "reflect"

// Send returns a function that sends to ch.
func Send[T any](ch chan<- T) func(v T) { return func(v T) { send(ch, v) } }

func send[T any](ch chan<- T, v T) {
	g := pass()
	if g == nil {
		ch <- v
		return
	}
	select {
	case ch <- v:
		return
	default:
	}
	g.block("send")
	defer g.arrive() // also if it panics, since the channel has been closed
	ch <- v
}

// Recv receives from ch.
func Recv[T any](ch <-chan T) T {
	v, _ := Recv2(ch)
	return v
}

// Recv2 receives from ch, and reports whether the value was sent.
func Recv2[T any](ch <-chan T) (v T, ok bool) {
	g := pass()
	if g == nil {
		v, ok = <-ch
		return v, ok
	}
	select {
	case v, ok = <-ch:
		return v, ok
	default:
	}
	g.block("receive")
	v, ok = <-ch
	g.arrive()
	return v, ok
}

// Block is called before a select statement without cases.
func Block() { pass().block("select") }

// Waits is a point before a statement that stays as it is and may wait, for what why says. Resumed
// is called after it.
func Waits(why string) {
	if g := pass(); g != nil {
		g.announce(why)
	}
}

// Resumed gives the turn back if the goroutine has waited without a turn.
func Resumed() {
	if r := active.Load(); r != nil {
		r.self()
	}
}

// A SelectCase is one case of a select statement: a [Receiving] or a [Sending].
type SelectCase interface {
	try() bool
	block() reflect.SelectCase
	took(v reflect.Value, ok bool)
}

// Select is a select statement without a default. It returns the index of the case that proceeds.
// If several cases can proceed, it takes the first that the schedule does not pass over.
func Select(cases ...SelectCase) int { return selects(cases, false) }

// TrySelect is a select statement with a default, for which it returns -1.
func TrySelect(cases ...SelectCase) int { return selects(cases, true) }

func selects(cases []SelectCase, hasDefault bool) int {
	g := pass()
	if g != nil {
		if i := g.ready(cases); i >= 0 {
			return i
		}
		if hasDefault {
			return -1
		}
		g.block("select")
	}
	all := make([]reflect.SelectCase, len(cases), len(cases)+1)
	for i, c := range cases {
		all[i] = c.block()
	}
	if hasDefault {
		all = append(all, reflect.SelectCase{Dir: reflect.SelectDefault})
	}
	i, v, ok := g.selects(all)
	if i == len(cases) {
		return -1
	}
	closed := all[i].Dir == reflect.SelectRecv && !ok
	if g != nil && len(cases) > 1 && closed && g.passes() {
		if j := g.instead(cases, i); j >= 0 {
			return j
		}
	}
	cases[i].took(v, ok)
	return i
}

// ready returns the first case that can proceed, and that the schedule does not pass over. Without
// such a case, it returns the first that can proceed, or -1.
func (g *goroutine) ready(cases []SelectCase) int {
	var passed [8]int
	over := passed[:0]
	for i, c := range cases {
		if i < len(cases)-1 && g.passes() {
			over = append(over, i)
		} else if c.try() {
			return i
		}
	}
	for _, i := range over {
		if cases[i].try() {
			return i
		}
	}
	return -1
}

func (g *goroutine) selects(all []reflect.SelectCase) (i int, v reflect.Value, ok bool) {
	defer g.arrive() // also if it panics, since a channel that it sends to has been closed
	return reflect.Select(all)
}

// instead delays a goroutine that the closed channel of the i-th case has woken. Other channels,
// such as the channel of a timeout, may wake it at the same time. It returns another case that can
// proceed then, or -1.
func (g *goroutine) instead(cases []SelectCase, i int) int {
	g.yield("delayed")
	for j, c := range cases {
		if j != i && c.try() {
			return j
		}
	}
	return -1
}

// A Receiving is a case that receives from a channel, or a range statement that does.
type Receiving[T any] struct {
	ch <-chan T
	v  T
	ok bool
}

// Receive returns a case of [Select].
func Receive[T any](ch <-chan T) *Receiving[T] { return &Receiving[T]{ch: ch} }

// Each returns the receiving of a range statement that declares a variable, and a zero value for
// the variable.
func Each[T any](ch <-chan T) (*Receiving[T], T) {
	var zero T
	return Receive(ch), zero
}

// Get returns what has been received.
func (c *Receiving[T]) Get() T { return c.v }

// Get2 returns what has been received, and reports whether it was sent.
func (c *Receiving[T]) Get2() (T, bool) { return c.v, c.ok }

// Ok reports whether what has been received was sent. Compared with [Yes], it is a boolean without
// a type, as it is in the statement.
func (c *Receiving[T]) Ok() bool { return c.ok }

// Yes is true, which code may give another meaning.
const Yes = true

// Next receives the next value of a range statement, unless the channel is closed.
func (c *Receiving[T]) Next() bool {
	c.v, c.ok = Recv2(c.ch)
	return c.ok
}

// Into is Next. It sets a variable.
func (c *Receiving[T]) Into(v *T) bool {
	x, ok := Recv2(c.ch)
	if ok {
		*v = x
	}
	return ok
}

func (c *Receiving[T]) try() bool {
	select {
	case c.v, c.ok = <-c.ch:
		return true
	default:
		return false
	}
}

func (c *Receiving[T]) block() reflect.SelectCase {
	return reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(c.ch)}
}

func (c *Receiving[T]) took(v reflect.Value, ok bool) {
	if c.ok = ok; ok {
		reflect.ValueOf(&c.v).Elem().Set(v)
	}
}

// A Sending is a case that sends to a channel.
type Sending[T any] struct {
	ch chan<- T
	v  T
}

// SendTo returns a function that returns a case of [Select].
func SendTo[T any](ch chan<- T) func(v T) *Sending[T] {
	return func(v T) *Sending[T] { return &Sending[T]{ch, v} }
}

func (c *Sending[T]) try() bool {
	select {
	case c.ch <- c.v:
		return true
	default:
		return false
	}
}

func (c *Sending[T]) block() reflect.SelectCase {
	return reflect.SelectCase{
		Dir:  reflect.SelectSend,
		Chan: reflect.ValueOf(c.ch),
		Send: reflect.ValueOf(&c.v).Elem(),
	}
}

func (*Sending[T]) took(reflect.Value, bool) {}
