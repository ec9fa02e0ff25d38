package api

import "slices"

// defaultContracts returns those that hold for all values of a type, by the methods that it
// has. Of an interface type, the methods of each value count.
func defaultContracts[T any]() []contract[T] {
	all := slices.Concat(textContracts[T](), equalContracts[T](), orderContracts[T](), sizeContracts[T](), marshalContracts[T](), readContracts[T]())
	return slices.DeleteFunc(all, func(c contract[T]) bool { return !c.fits })
}
