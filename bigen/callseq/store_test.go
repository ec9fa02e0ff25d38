package callseq_test

import (
	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq"
)

// A page holds items: of a store, of a transaction, or of what a cursor sees.
type page struct{ items []int }

func (p *page) copy() *page { return &page{slices.Clone(p.items)} }

func (p *page) sum() (sum int) {
	for _, x := range p.items {
		sum += x
	}
	return sum
}

type bothPages struct {
	model page
	real  *page
}

// storeModel describes stores, transactions and cursors: three pools. Each call that makes an
// instance of one uses one of another, and transactions make stores in turn. In the planted
// bug, a store shares its page with the transaction that has made it.
func storeModel(planted bool) *callseq.Model {
	return callseq.New(func(c *callseq.C) {
		stores := callseq.NewPool[*bothPages](c, "store")
		txns := callseq.NewPool[*bothPages](c, "txn")
		cursors := callseq.NewPool[*bothPages](c, "cursor")

		c.Op("New", func() {
			s := stores.Add(&bothPages{})
			c.Do(func() { s.real = &page{} })
		})
		c.Op("store.Begin", func() {
			s := stores.Draw("store")
			txn := txns.Add(&bothPages{model: *s.model.copy()})
			c.Do(func() { txn.real = s.real.copy() })
		}).When(stores.Any)
		c.Op("store.Cursor", func() {
			s := stores.Draw("store")
			cur := cursors.Add(&bothPages{model: *s.model.copy()})
			c.Do(func() { cur.real = s.real })
		}).When(stores.Any)
		c.Op("txn.Add", func() {
			txn, x := txns.Draw("txn"), callseq.Arg(c, "x", bigen.IntRange(0, 9))
			txn.model.items = append(txn.model.items, x)
			c.Do(func() { txn.real.items = append(txn.real.items, x) })
		}).When(txns.Any).Weight(2)
		c.Op("txn.Commit", func() {
			txn := txns.Draw("txn")
			s := stores.Add(&bothPages{model: *txn.model.copy()})
			c.Do(func() {
				if s.real = txn.real; !planted {
					s.real = txn.real.copy()
				}
			})
		}).When(txns.Any)
		c.Op("cursor.Sum", func() {
			cur := cursors.Draw("cursor")
			c.Want(cur.model.sum())
			c.Do(func() { c.Got(cur.real.sum()) })
		}).When(cursors.Any)
	})
}
