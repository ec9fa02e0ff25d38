//go:build go1.18

package runtime

// These take the place of operations. Each does what the operation does, on operands that the caller
// has evaluated, unless the mistake of a number is made.

type espalierInteger interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

type espalierOrdered interface {
	espalierInteger | ~float32 | ~float64 | ~string
}

type espalierNumber interface {
	espalierInteger | ~float32 | ~float64 | ~complex64 | ~complex128
}

func espalierLess[T espalierOrdered](n int, a, b T) bool {
	if espalierMistake(n) {
		return a <= b
	}
	return a < b
}

func espalierAtMost[T espalierOrdered](n int, a, b T) bool {
	if espalierMistake(n) {
		return a < b
	}
	return a <= b
}

func espalierGreater[T espalierOrdered](n int, a, b T) bool {
	if espalierMistake(n) {
		return a >= b
	}
	return a > b
}

func espalierAtLeast[T espalierOrdered](n int, a, b T) bool {
	if espalierMistake(n) {
		return a > b
	}
	return a >= b
}

func espalierAdd[T espalierNumber](n int, a, b T) T {
	if espalierMistake(n) {
		return a - b
	}
	return a + b
}

func espalierSub[T espalierNumber](n int, a, b T) T {
	if espalierMistake(n) {
		return a + b
	}
	return a - b
}

func espalierMul[T espalierNumber](n int, a, b T) T {
	if espalierMistake(n) {
		return a / b
	}
	return a * b
}

func espalierQuo[T espalierNumber](n int, a, b T) T {
	if espalierMistake(n) {
		return a * b
	}
	return a / b
}

func espalierRem[T espalierInteger](n int, a, b T) T {
	if espalierMistake(n) {
		return a * b
	}
	return a % b
}

func espalierAnd[T espalierInteger](n int, a, b T) T {
	if espalierMistake(n) {
		return a | b
	}
	return a & b
}

func espalierOr[T espalierInteger](n int, a, b T) T {
	if espalierMistake(n) {
		return a & b
	}
	return a | b
}

func espalierXor[T espalierInteger](n int, a, b T) T {
	if espalierMistake(n) {
		return a & b
	}
	return a ^ b
}

func espalierShl[T, S espalierInteger](n int, a T, b S) T {
	if espalierMistake(n) {
		return a >> b
	}
	return a << b
}

func espalierShr[T, S espalierInteger](n int, a T, b S) T {
	if espalierMistake(n) {
		return a << b
	}
	return a >> b
}

// espalierNeg takes the place of -a.
func espalierNeg[T espalierNumber](n int, a T) T {
	if espalierMistake(n) {
		return a
	}
	return -a
}

// espalierStep returns what x++ adds to x, or x-- subtracts from it.
func espalierStep[T espalierNumber](n int, x T) T {
	if espalierMistake(n) {
		var one T = 1
		return -one
	}
	return 1
}

// espalierBy returns what x += y adds to x, or x -= y subtracts from it.
func espalierBy[T espalierNumber](n int, x, y T) T {
	if espalierMistake(n) {
		return -y
	}
	return y
}

// espalierPick returns one of two constants.
func espalierPick[T interface{}](n int, mistaken, right T) T {
	if espalierMistake(n) {
		return mistaken
	}
	return right
}

// espalierFault is what error is: packages may declare that name.
type espalierFault interface{ Error() string }

// espalierError returns an error, or forgets it.
func espalierError(n int, err espalierFault) (none espalierFault) {
	if espalierMistake(n) {
		return none
	}
	return err
}
