package mistake

import (
	"fmt"
	"go/ast"
	"go/types"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gosource"
)

// swap lets two arguments of one type change places.
func (e *editor) swap(call *ast.CallExpr, stack []ast.Node) {
	sig, ok := e.Info.TypeOf(call.Fun).(*types.Signature)
	if len(call.Args) == 3 && gosource.IsBuiltin(e.Info, call.Fun, "make") {
		e.asIs[call.Args[2]] = true // a capacity is not noticed
	}
	if !ok || e.Info.Types[call.Fun].IsBuiltin() || sig.Variadic() || e.isCommutative(call) ||
		sig.Params().Len() != len(call.Args) || len(call.Args) > maxSwapped {
		return
	}
	for i, j := range neighbors(sig.Params()) {
		x, y := call.Args[i], call.Args[j]
		if e.Of(x) == e.Of(y) || !e.allMovable(call, stack) {
			continue
		}
		n, ok := e.add(Arguments, change{x.Pos(), x.End(), e.Of(y)}, change{y.Pos(), y.End(), e.Of(x)})
		if !ok {
			continue
		}
		e.swaps[[3]int{len(call.Args), i, j}] = true
		typ, ok := e.typeText(sig.Params().At(i).Type())
		if ok {
			typ = "[" + typ + "]"
		} else {
			typ = ""
		}
		e.Insert(call.Lparen+1, fmt.Sprintf("%s%s(%s, ", e.swapName(len(call.Args), i, j), typ, n))
		e.Close(call.Rparen, ")")
		return
	}
}

// maxSwapped is how many arguments a call may have so that two of them change places.
const maxSwapped = 8

// neighbors yields pairs of parameters of one type, the closest first.
func neighbors(params *types.Tuple) func(yield func(i, j int) bool) {
	return func(yield func(i, j int) bool) {
		for i := range params.Len() {
			for j := i + 1; j < params.Len(); j++ {
				if types.Identical(params.At(i).Type(), params.At(j).Type()) {
					if !yield(i, j) {
						return
					}
					break
				}
			}
		}
	}
}

// commutative are functions that do the same if arguments of one type change places, so that nobody
// could notice: of the standard library, and those that have gone there or come from there. Functions
// with any number of arguments, such as errors.Join, and builtin ones have no such mistakes at all.
var commutative = map[string]bool{
	"(*math/big.Float).Add": true, "(*math/big.Float).Mul": true,
	"(*math/big.Int).Add": true, "(*math/big.Int).Mul": true, "(*math/big.Int).GCD": true,
	"(*math/big.Int).And": true, "(*math/big.Int).Or": true, "(*math/big.Int).Xor": true,
	"(*math/big.Rat).Add": true, "(*math/big.Rat).Mul": true,

	"math.Max": true, "math.Min": true, "math.Hypot": true, "math.FMA": true,
	"math/bits.Add": true, "math/bits.Add32": true, "math/bits.Add64": true,
	"math/bits.Mul": true, "math/bits.Mul32": true, "math/bits.Mul64": true,

	"bytes.Equal": true, "bytes.EqualFold": true, "strings.EqualFold": true,
	"maps.Equal": true, "slices.Equal": true, "reflect.DeepEqual": true, "os.SameFile": true,
	"crypto/hmac.Equal": true, "crypto/subtle.ConstantTimeByteEq": true,
	"crypto/subtle.ConstantTimeCompare": true, "crypto/subtle.ConstantTimeEq": true,
	"go/types.Identical": true, "go/types.IdenticalIgnoreTags": true,

	"golang.org/x/exp/maps.Equal": true, "golang.org/x/exp/slices.Equal": true,
	"google.golang.org/protobuf/proto.Equal": true, "github.com/golang/protobuf/proto.Equal": true,
}

// isCommutative reports whether a call is of a function that is known to be commutative.
func (e *editor) isCommutative(call *ast.CallExpr) bool {
	fun := ast.Unparen(call.Fun)
	switch x := fun.(type) {
	case *ast.IndexExpr:
		fun = x.X
	case *ast.IndexListExpr:
		fun = x.X
	}
	var id *ast.Ident
	switch x := fun.(type) {
	case *ast.SelectorExpr:
		id = x.Sel
	case *ast.Ident:
		id = x
	}
	f, ok := e.Info.Uses[id].(*types.Func)
	return ok && commutative[f.Origin().FullName()]
}
