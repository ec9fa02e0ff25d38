package api

// stubs
type record struct{}
type stock struct{}
type chooser struct{}

func (m *machine) choose(p *base)         {}
func (m *machine) choosable(p *base) bool { return false }
