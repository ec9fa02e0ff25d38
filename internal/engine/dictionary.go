package engine

// A dictionary holds a bounded number of items with which a program has compared its
// input. It prefers items that have been used less.
type dictionary[T comparable] struct {
	items []T
	uses  []int
	known map[T]bool
}

const (
	maxDictionary = 512
	recentItems   = 16
)

// add adds an item, unless it is there.
func (d *dictionary[T]) add(item T, r *random) {
	if d.known[item] {
		return
	}
	if d.known == nil {
		d.known = make(map[T]bool)
	}
	d.known[item] = true
	if len(d.items) == maxDictionary {
		// Of nine items, the most used one is dropped.
		most := r.n(len(d.items))
		for range 8 {
			if i := r.n(len(d.items)); d.uses[i] > d.uses[most] {
				most = i
			}
		}
		delete(d.known, d.items[most])
		// The items stay in the order in which they were added.
		d.items = append(d.items[:most], d.items[most+1:]...)
		d.uses = append(d.uses[:most], d.uses[most+1:]...)
	}
	d.items = append(d.items, item)
	d.uses = append(d.uses, 0)
}

// pick returns an item, half of the time one of the latest.
func (d *dictionary[T]) pick(r *random) (item T, ok bool) {
	n := len(d.items)
	if n == 0 {
		return item, false
	}
	from := 0
	if r.oneIn(2) {
		from = max(0, n-recentItems)
	}
	i, j := from+r.n(n-from), from+r.n(n-from)
	if d.uses[j] < d.uses[i] {
		i = j
	}
	d.uses[i]++
	return d.items[i], true
}
