package literal

import (
	"math/big"
	"reflect"
	"strconv"
)

// bigOf returns a big.Int that is accessible and not 0. Its fields say nothing to a reader.
func bigOf(v reflect.Value) (n *big.Int, ok bool) {
	if v.Type() != reflect.TypeFor[big.Int]() || !v.CanInterface() || isZero(v) {
		return nil, false
	}
	x := v.Interface().(big.Int)
	return &x, true
}

// bigInt returns a pointer to x as a call of NewInt or SetString.
func (p *printer) bigInt(x *big.Int, t reflect.Type, pl place) *node {
	of := p.types.qualifier("math/big", "big")
	if x.IsInt64() {
		return p.text(of+"NewInt("+x.String()+")", t, pl)
	}
	return p.text("func() *"+of+"Int { n, _ := new("+of+"Int).SetString("+strconv.Quote(x.String())+
		", 10); return n }()", t, pl)
}
