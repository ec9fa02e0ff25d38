package api

import "sort"

// orderContracts say that Compare, Cmp and Less are strict weak orders.
func orderContracts[T any]() []contract[T] {
	type comparer interface{ Compare(T) int }
	type cmper interface{ Cmp(T) int }
	type lesser interface{ Less(T) bool }
	list := threeWay[T]("Compare", func(x comparer, w T) int { return x.Compare(w) })
	list = append(list, threeWay[T]("Cmp", func(x cmper, w T) int { return x.Cmp(w) })...)
	return append(list,
		related[lesser, T]("Less is asymmetric", 2, func(x, y, _ lesser, v, w, _ T) string {
			return unless(!x.Less(w) || !y.Less(v), "each is less than the other")
		}, `if %[1]s.Less(%[2]s) && %[2]s.Less(%[1]s) {
	t.Error("%[1]s is less than %[2]s, and %[2]s less than %[1]s")
}`),
		related[lesser, T]("Less is transitive", 3, func(x, y, _ lesser, _, w, u T) string {
			return unless(!x.Less(w) || !y.Less(u) || x.Less(u), "the first is less than the second, and this than the third, but the first is not less than the third")
		}, `if %[1]s.Less(%[2]s) && %[2]s.Less(%[3]s) && !%[1]s.Less(%[3]s) {
	t.Error("%[1]s is less than %[2]s, and this than %[3]s, but %[1]s is not less than %[3]s")
}`),
		of[sort.Interface, T]("Less of elements is asymmetric", func(x sort.Interface) string {
			for i := range min(x.Len(), maxRelated) {
				for j := range min(x.Len(), maxRelated) {
					if x.Less(i, j) && x.Less(j, i) {
						return "each of two elements is less than the other"
					}
				}
			}
			return ""
		}, `for i := range %[1]s.Len() {
	for j := range %[1]s.Len() {
		if %[1]s.Less(i, j) && %[1]s.Less(j, i) {
			t.Errorf("elements %%d and %%d of %[1]s are less than each other", i, j)
		}
	}
}`),
	)
}

// threeWay says that a method such as Compare is a strict weak order.
func threeWay[T, I any](method string, compare func(x I, w T) int) []contract[T] {
	return []contract[T]{
		related[I, T](method+" is antisymmetric", 2, func(x, y, _ I, v, w, _ T) string {
			return unless(sign(compare(x, w)) == -sign(compare(y, v)), method+" has the same sign both ways, or is 0 one way only")
		}, `if a, b := %[1]s.`+method+`(%[2]s), %[2]s.`+method+`(%[1]s); (a < 0) != (b > 0) || (a > 0) != (b < 0) {
	t.Error(a, b)
}`),
		related[I, T](method+" is transitive", 3, func(x, y, _ I, _, w, u T) string {
			return unless(compare(x, w) > 0 || compare(y, u) > 0 || compare(x, u) <= 0, "the first is at most the second, and this at most the third, but the first is more than the third")
		}, `if %[1]s.`+method+`(%[2]s) <= 0 && %[2]s.`+method+`(%[3]s) <= 0 && %[1]s.`+method+`(%[3]s) > 0 {
	t.Error("%[1]s is at most %[2]s, and this at most %[3]s, but %[1]s is more than %[3]s")
}`),
	}
}

func sign(n int) int {
	switch {
	case n < 0:
		return -1
	case n > 0:
		return 1
	}
	return 0
}
