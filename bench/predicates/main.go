// Predicates asks which predicates can be turned around: given only a function func(T) bool, is
// there a generator of exactly the values for which it is true?
//
//	go -C bench run ./predicates
package main

import "fmt"

// A predicate of a flat value: of a list, a text, a struct of integers, or a list of such structs.
// Its function gets the integers that the value consists of, in order.
type predicate struct {
	name    string
	from    string   // the module and version that it is from, if it is foreign
	goType  string   // the type of the values, in the text of generators
	fields  []string // of structs
	list    bool     // of structs: the value is a list of them
	letters []int    // the elements to try, if they are not any integers
	valid   func([]int) bool
}

func main() {
	for _, p := range append(foreign, own...) {
		fmt.Println(p.name, p.from, p.goType)
	}
	for _, p := range ownTrees {
		fmt.Println(p.name)
	}
}

func runes(s string) (v []int) {
	for _, r := range s {
		v = append(v, int(r))
	}
	return v
}

func str(v []int) string {
	r := make([]rune, len(v))
	for i, x := range v {
		r[i] = rune(x)
	}
	return string(r)
}
