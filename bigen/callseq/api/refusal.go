package api

import "golang.org/x/exp/slices"

// maxReasons bounds the refusals of an operation that may become tests.
const maxReasons = 6

// refused keeps a sequence whose last call has refused its arguments, if the call has said why, and
// has not said so before after fewer calls.
func (g *generator) refused(s *sequence, e ending) {
	if g.tainted || g.stubbed || g.write(s.calls) {
		return
	}
	reason := normalized(e.message)
	known := g.refusals[s.last()]
	i := slices.IndexFunc(known, func(r *sequence) bool { return r.reason == reason })
	switch {
	case i < 0 && len(known) == maxReasons || i >= 0 && len(known[i].calls) <= len(s.calls):
		return
	case i < 0:
		g.tell(g.opts.Kept) // for a process that takes over
		i = len(known)
		known = append(known, nil)
	}
	own := s.own()
	own.reason = reason
	known[i] = own
	g.refusals[s.last()] = known
}

// allRefused returns the sequences that end with a refusal, in the order of the operations.
func (g *generator) allRefused() (all []*sequence) {
	for _, o := range g.ops {
		all = append(all, g.refusals[o.name]...)
	}
	return all
}
