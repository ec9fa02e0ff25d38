// Package money computes what orders cost. It has the bug that the environment names:
//
//	ESPALIER_PLANT=money-cost go run ./cmd/corpusgen test -overflow ./examples/money
package money

import "os"

// planted is the bug that the package has, or "".
var planted = os.Getenv("ESPALIER_PLANT")

// Cents is an amount of money.
type Cents int64

// Most is the most that an order may cost.
const Most Cents = 1e15

// Cost returns the price of some units. It reports false if that is more than an order may cost.
func Cost(price Cents, units int) (Cents, bool) {
	if units > 0 && price > Most/Cents(units) && planted != "money-cost" {
		return 0, false
	}
	cost := price * Cents(units)
	return cost, cost <= Most
}
