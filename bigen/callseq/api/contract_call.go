package api

// A callContract is about what calls do to values. It keeps what it needs of the sequence that
// runs. [anyCall] has methods that do nothing.
type callContract interface {
	begin()                                // a sequence begins
	before(m *machine, repeated bool)      // a call begins; repeated: like the last, which is not judged
	made(m *machine, first int)            // a call has ended; its results begin with number first
	broken(m *machine) *violation          // by the call that has ended, or nil
	violated(m *machine, d due) *violation // by values that are due, or nil
}

// callContracts returns all of them, for a machine.
func callContracts() []callContract {
	return []callContract{&clones{}, &validity{}, &givenBytes{}, &handlers{}}
}

// beforeCall notes what the next call must not change.
func (m *machine) beforeCall(repeated bool) {
	for _, c := range m.ofCalls {
		c.before(m, repeated)
	}
}

// afterCall returns a violation of the call that has ended, by what it has changed.
func (m *machine) afterCall() *violation {
	for _, c := range m.ofCalls {
		if v := c.broken(m); v != nil {
			return v
		}
	}
	return nil
}

// anyCall is a [callContract] that all calls keep.
type anyCall struct{}

func (anyCall) begin()                            {}
func (anyCall) before(*machine, bool)             {}
func (anyCall) made(*machine, int)                {}
func (anyCall) broken(*machine) *violation        { return nil }
func (anyCall) violated(*machine, due) *violation { return nil }
