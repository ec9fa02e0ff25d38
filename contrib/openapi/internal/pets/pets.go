// Package pets is a small service with a description, for tests. Bugs can be planted in it.
package pets

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// A Bug is one that can be planted.
type Bug string

// The bugs.
const (
	None        Bug = ""
	Crash       Bug = "crash"       // a list by tag panics for a pet without one
	Divide      Bug = "divide"      // the mean of visits fails once a pet has been replaced
	Schema      Bug = "schema"      // the size of a pet comes back in capitals
	Header      Bug = "header"      // no Location
	Auth        Bug = "auth"        // DELETE works without a key
	AnyKey      Bug = "any key"     // GET of one pet takes any key
	Zombie      Bug = "zombie"      // a deleted pet can still be read
	Lost        Bug = "lost"        // the third pet cannot be read
	Lenient     Bug = "lenient"     // a limit above 100 is accepted
	NoName      Bug = "no name"     // a pet without a name is accepted
	Leak        Bug = "leak"        // an error shows where the code is
	Once        Bug = "once"        // the same pet cannot be put twice
	Undescribed Bug = "undescribed" // a status that no description has, in HTML
	Patch       Bug = "patch"       // PATCH works, and nobody knows
)

// Bugs are all of them.
var Bugs = []Bug{Crash, Divide, Schema, Header, Auth, AnyKey, Zombie, Lost, Lenient, NoName, Leak, Once,
	Undescribed, Patch}

// A pet is what the service keeps.
type pet struct {
	ID   int64   `json:"id"`
	Name string  `json:"name"`
	Tag  *string `json:"tag,omitempty"`
	Size string  `json:"size,omitempty"`

	minutes, visits int
	replaced        bool
	deleted         bool
}

// New returns the service, without pets, and with the bug that ESPALIER_PLANT names, if any.
func New() http.Handler { return With(Bug(os.Getenv("ESPALIER_PLANT"))) }

// With returns the service, without pets, and with a bug.
func With(bug Bug) http.Handler {
	s := &service{bug: bug, pets: map[int64]*pet{}}
	mux := http.NewServeMux()
	const base = "/api/v1"
	mux.HandleFunc("GET "+base+"/pets", s.list)
	mux.HandleFunc("POST "+base+"/pets", s.create)
	mux.HandleFunc("GET "+base+"/pets/{id}", s.one(s.get))
	mux.HandleFunc("PUT "+base+"/pets/{id}", s.one(s.put))
	mux.HandleFunc("DELETE "+base+"/pets/{id}", s.one(s.remove))
	mux.HandleFunc("POST "+base+"/pets/{id}/visits", s.one(s.visit))
	if bug == Patch {
		mux.HandleFunc("PATCH "+base+"/pets/{id}", s.one(s.get))
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if key := r.Header.Get("X-Key"); key != "secret" && !(bug == Auth && r.Method == "DELETE") &&
			!(bug == AnyKey && key != "" && r.Method == "GET" && strings.Contains(r.URL.Path, "/pets/")) {
			fail(w, http.StatusUnauthorized, "no key")
			return
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		mux.ServeHTTP(w, r)
	})
}

type service struct {
	bug  Bug
	mu   sync.Mutex
	pets map[int64]*pet
	last int64
}

func answer(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}

func fail(w http.ResponseWriter, status int, why string) {
	answer(w, status, map[string]string{"error": why})
}

func (s *service) list(w http.ResponseWriter, r *http.Request) {
	limit := 100
	if q := r.URL.Query(); q.Has("limit") {
		var err error
		limit, err = strconv.Atoi(q.Get("limit"))
		if err != nil || limit < 1 || limit > 100 && s.bug != Lenient {
			fail(w, http.StatusBadRequest, "the limit is wrong")
			return
		}
	}
	tags := strings.Split(r.URL.Query().Get("tag"), ",")
	found := []*pet{}
	for id := int64(1); id <= s.last && len(found) < limit; id++ {
		p := s.pets[id]
		if p == nil || p.deleted {
			continue
		}
		has := tags[0] == ""
		for _, tag := range tags {
			if tag != "" && (s.bug == Crash || p.Tag != nil) {
				has = has || *p.Tag == tag
			}
		}
		if has {
			found = append(found, p)
		}
	}
	answer(w, http.StatusOK, found)
}

// read reads a pet from the body of a request.
func (s *service) read(w http.ResponseWriter, r *http.Request) *pet {
	var in struct {
		Name *string `json:"name"`
		Tag  *string `json:"tag"`
		Size *string `json:"size"`
	}
	d := json.NewDecoder(r.Body)
	err := d.Decode(&in)
	switch {
	case err != nil:
		why := err.Error()
		if s.bug == Leak {
			why = "/home/build/pets/main.go: " + why
		}
		fail(w, http.StatusBadRequest, why)
		return nil
	case in.Name == nil && s.bug == NoName:
		in.Name = new(string)
		*in.Name = "nobody"
	case in.Name == nil || *in.Name == "" || utf8.RuneCountInString(*in.Name) > 30,
		in.Tag != nil && *in.Tag == "",
		in.Size != nil && *in.Size != "small" && *in.Size != "large":
		fail(w, http.StatusUnprocessableEntity, "the pet is wrong")
		return nil
	}
	p := &pet{Name: *in.Name, Tag: in.Tag}
	if in.Size != nil {
		p.Size = *in.Size
	}
	if s.bug == Schema {
		p.Size = strings.ToUpper(p.Size)
	}
	return p
}

func (s *service) create(w http.ResponseWriter, r *http.Request) {
	p := s.read(w, r)
	if p == nil {
		return
	}
	if s.bug == Undescribed && len(p.Name) > 20 {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<p>too long</p>")
		return
	}
	s.last++
	p.ID = s.last
	if s.bug != Lost || p.ID != 3 {
		s.pets[p.ID] = p
	}
	if s.bug != Header {
		w.Header().Set("Location", fmt.Sprintf("/api/v1/pets/%d", p.ID))
	}
	answer(w, http.StatusCreated, p)
}

// one returns the handler of requests for one pet.
func (s *service) one(
	do func(w http.ResponseWriter, r *http.Request, id int64, p *pet),
) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
		if err != nil {
			fail(w, http.StatusBadRequest, "the number is wrong")
			return
		}
		p := s.pets[id]
		if p == nil || p.deleted && !(s.bug == Zombie && r.Method == "GET") {
			fail(w, http.StatusNotFound, "no such pet")
			return
		}
		do(w, r, id, p)
	}
}

func (s *service) get(w http.ResponseWriter, _ *http.Request, _ int64, p *pet) {
	answer(w, http.StatusOK, p)
}

func (s *service) put(w http.ResponseWriter, r *http.Request, id int64, old *pet) {
	p := s.read(w, r)
	if p == nil {
		return
	}
	if s.bug == Once && old.replaced && old.Name == p.Name {
		fail(w, http.StatusBadRequest, "nothing changes")
		return
	}
	p.ID, p.replaced = id, true
	if p.visits, p.minutes = old.visits, old.minutes; s.bug == Divide {
		p.visits = -1
	}
	s.pets[id] = p
	answer(w, http.StatusOK, p)
}

func (s *service) remove(w http.ResponseWriter, _ *http.Request, _ int64, p *pet) {
	p.deleted = true
	w.WriteHeader(http.StatusNoContent)
}

func (s *service) visit(w http.ResponseWriter, r *http.Request, _ int64, p *pet) {
	minutes, err := strconv.Atoi(r.FormValue("minutes"))
	if err != nil || minutes < 1 || minutes > 600 || utf8.RuneCountInString(r.FormValue("note")) > 20 {
		fail(w, http.StatusBadRequest, "the visit is wrong")
		return
	}
	p.visits++
	p.minutes += minutes
	answer(w, http.StatusOK, map[string]any{"count": p.visits, "mean": p.minutes / p.visits})
}
