package bigen

import (
	"math/rand/v2"

	"github.com/espalier-go/espalier/choices"
)

// Mutate returns a value of g that is close to v ("Bigenerators, Exposed!", section 6.2.3). It
// runs g backward on v, edits the choices, and runs g forward on the edited choices. So the
// value is valid, whatever the edit. edit is an operator of package mutate, such as
// mutate.Reroll. If several trees of choices make v, Mutate edits one of them, each equally
// likely.
//
// The value may be equal to v. If g does not make v, the error is as for [Forest]. If g
// rejects 100 edits in a row, it is [ErrRejected].
func Mutate[A any](
	g Gen[A], v A, edit func(choices.Tree, *rand.Rand) choices.Tree, r *rand.Rand,
) (A, error) {
	var zero A
	ways, err := Forest(g, v)
	if err != nil {
		return zero, err
	}
	for range 100 {
		mutant, err := Value(g, choices.Replay(edit(ways.Sample(r), r), r))
		if err == nil {
			return mutant, nil
		}
	}
	return zero, ErrRejected
}
