// Package sessions has a store of sessions that end by themselves. Its tests describe the store
// by one model, and use it from several goroutines, and with fake time.
package sessions

import (
	"os"
	"runtime"
	"sync"
	"time"
)

// A Store knows which users have a session. Several goroutines may use it at once.
type Store struct {
	ttl time.Duration

	mu   sync.Mutex
	ends map[string]*time.Timer
}

// New returns a store in which a session ends after ttl.
func New(ttl time.Duration) *Store {
	return &Store{ttl: ttl, ends: map[string]*time.Timer{}}
}

// planted is a bug that the store has, or "".
var planted = os.Getenv("ESPALIER_PLANT")

// Open begins a session, or begins it anew if the user has one. It reports whether there was
// none.
func (s *Store) Open(user string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	end, known := s.ends[user]
	if planted == "sessions-open" { // another goroutine may open it meanwhile
		s.mu.Unlock()
		runtime.Gosched()
		s.mu.Lock()
	}
	if known && planted != "sessions-timer" {
		end.Stop()
	}
	var timer *time.Timer
	timer = time.AfterFunc(s.ttl, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.ends[user] == timer || planted == "sessions-timer" {
			delete(s.ends, user)
		}
	})
	s.ends[user] = timer
	return !known
}

// Close ends a session, and reports whether there was one.
func (s *Store) Close(user string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	end, known := s.ends[user]
	if known {
		end.Stop()
		delete(s.ends, user)
	}
	return known
}
