package strength

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/loader"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/mistake"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
	"github.com/stretchr/testify/require"
)

// Survivors are printed in the order of the source, each once all before it are settled, whatever
// the order of their trials. What is never settled is counted.
func TestDocket(t *testing.T) {
	const n = 20
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 0))
		var out bytes.Buffer
		none, err := readAccepted("", false)
		require.NoError(t, err)
		p := &program{
			run:   &run{Output: &session.Output{Text: &out}, accepted: none},
			pkg:   loader.Package{ImportPath: "p"},
			tests: &tests{},
		}
		for i := range n {
			p.mistakes = append(p.mistakes, mistake.Mistake{Number: i + 1, File: "f.go", Line: i + 1})
		}
		d := p.newDocket()
		order := r.Perm(n)[:r.IntN(n+1)]
		settled, first, want := map[int]bool{}, 0, ""
		line := func(i int) string { return fmt.Sprintf("f.go:%d: no test notices", i+1) }
		for _, i := range order {
			j := d.list[i]
			if j.Verdict = killed; i%2 == 0 {
				j.Verdict = survives
			}
			d.settle(i, j)
			for settled[i] = true; settled[first]; first++ {
				if first%2 == 0 {
					want += line(first) + "\n"
				}
			}
			require.Equal(t, want, heads(out.String()))
		}
		d.close()
		for ; first < n; first++ {
			if settled[first] && first%2 == 0 {
				want += line(first) + "\n"
			}
		}
		require.Equal(t, want, heads(out.String()))
		require.Equal(t, n-len(order), d.total.Untried)
		require.Equal(t, len(order), d.total.Killed+d.total.Survive)
		require.Equal(t, len(order) == n, none.judged["p"])
	}
}

// heads returns the beginnings of the lines that begin survivors.
func heads(text string) (all string) {
	for line := range bytes.Lines([]byte(text)) {
		if head, _, ok := bytes.Cut(line, []byte(" this ")); ok {
			all += string(head) + "\n"
		}
	}
	return all
}
