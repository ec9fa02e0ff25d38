package api

// groups says which results have to do with each other: a call joins those that it has as
// arguments, and makes.
type groups struct {
	next []int32 // by result: another one of its group; itself if it stands for the group
	of   []int32 // by call: one of its results, or -1
}

func (x *groups) begin() { x.next, x.of = x.next[:0], x.of[:0] }

// unite joins the results of a call.
func (x *groups) unite(touched []int32) {
	one := int32(-1)
	for _, slot := range touched {
		for int(slot) >= len(x.next) {
			x.next = append(x.next, int32(len(x.next)))
		}
		if one < 0 {
			one = x.find(slot)
		}
		x.next[x.find(slot)] = one
	}
	x.of = append(x.of, one)
}

// find returns the result that stands for the group of a result.
func (x *groups) find(slot int32) int32 {
	for x.next[slot] != slot {
		x.next[slot] = x.next[x.next[slot]]
		slot = x.next[slot]
	}
	return slot
}

// relevant reports whether a call has to do with the last one.
func (x *groups) relevant(call int) bool {
	last := len(x.of) - 1
	return call == last || x.of[call] >= 0 && x.of[last] >= 0 && x.find(x.of[call]) == x.find(x.of[last])
}

// slots returns the results that have to do with the last call.
func (x *groups) slots(to []int32) []int32 {
	one := x.of[len(x.of)-1]
	for i := range x.next {
		if one >= 0 && x.find(int32(i)) == x.find(one) {
			to = append(to, int32(i))
		}
	}
	return to
}
