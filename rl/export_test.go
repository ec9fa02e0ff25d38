package rl

// ReadOnly is the option of the guide that answers for a [Policy.Prior].
func ReadOnly() Option { return readOnly }

func (p *Policy) Marshal() []byte { return p.marshal() }

func ParsePolicy(data []byte) (*Policy, error) { return parsePolicy(data) }

// exhausted reports whether all inputs have been made.
func (t *trie) exhausted() bool {
	root := &t.nodes[0]
	return root.full != 0 && root.done == root.full
}
