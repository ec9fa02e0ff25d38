package planted

// A Store is a slow map of integers with a cache. Each entry has a version, which Put
// increments. A cached value is good as long as it has the version of the entry.
type Store struct {
	versions map[int]int
	values   map[int]int // slow
	cache    map[int]cached
}

type cached struct{ value, version int }

// NewStore returns an empty store.
func NewStore() *Store {
	return &Store{map[int]int{}, map[int]int{}, map[int]cached{}}
}

// Put makes v the value of k.
func (s *Store) Put(k, v int) {
	s.versions[k]++
	s.values[k] = v
}

// Get returns the value of k, and whether there is one.
func (s *Store) Get(k int) (v int, ok bool) {
	version, ok := s.versions[k]
	if !ok {
		return 0, false
	}
	if c, ok := s.cache[k]; ok && c.version == version {
		return c.value, true
	}
	v = s.values[k]
	s.cache[k] = cached{v, version}
	return v, true
}

// Delete removes k, if it is there. Planted by cache-stale: k stays in the cache, and the
// versions of k begin again.
func (s *Store) Delete(k int) {
	if _, ok := s.versions[k]; !ok {
		return
	}
	delete(s.versions, k)
	delete(s.values, k)
	if planted != cacheStale {
		delete(s.cache, k)
	}
}
