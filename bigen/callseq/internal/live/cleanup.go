package live

import "sync"

// Cleanups are functions to be called at the end of a run. Several goroutines may use it at once.
type Cleanups struct {
	mu    sync.Mutex
	funcs []func()
}

// Add adds a function.
func (s *Cleanups) Add(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.funcs = append(s.funcs, f)
}

// Run calls the functions, and those that they add, the last first, even if some panic or end
// the goroutine.
func (s *Cleanups) Run() {
	for f := s.pop(); f != nil; f = s.pop() {
		func() {
			returned := false
			defer func() {
				if !returned {
					s.Run()
				}
			}()
			f()
			returned = true
		}()
	}
}

func (s *Cleanups) pop() func() {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := len(s.funcs) - 1
	if n < 0 {
		return nil
	}
	f := s.funcs[n]
	s.funcs = s.funcs[:n]
	return f
}
