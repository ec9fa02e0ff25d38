// Package sessions has a store of sessions that end by themselves. Its tests describe the store
// by one model, and use it from several goroutines, and with fake time.
package sessions

import (
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// A Store knows which users have a session. Several goroutines may use it at once.
type Store struct {
	ttl time.Duration
	id  int64 // the order in which stores are locked

	mu   sync.Mutex
	ends map[string]*time.Timer
}

// New returns a store in which a session ends after ttl.
func New(ttl time.Duration) *Store {
	return &Store{ttl: ttl, id: stores.Add(1), ends: map[string]*time.Timer{}}
}

var stores atomic.Int64

// planted is a bug that the store has, or "".
var planted = os.Getenv("ESPALIER_PLANT")

// Open begins a session, or restarts the session if the user has one. It reports whether
// there was none.
func (s *Store) Open(user string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.open(user)
}

// open is Open. The store is locked.
func (s *Store) open(user string) bool {
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
	return s.close(user)
}

// close is Close. The store is locked.
func (s *Store) close(user string) bool {
	end, known := s.ends[user]
	if known {
		end.Stop()
		delete(s.ends, user)
	}
	return known
}

// Move restarts a user's session in another store, and reports whether there was one.
func Move(user string, from, to *Store) bool {
	if from == to {
		return false
	}
	first, second := from, to
	if to.id < from.id && planted != "sessions-move" {
		first, second = to, from
	}
	first.mu.Lock()
	defer first.mu.Unlock()
	second.mu.Lock()
	defer second.mu.Unlock()
	if !from.close(user) {
		return false
	}
	to.open(user)
	return true
}
