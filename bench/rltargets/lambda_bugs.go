package rltargets

// termBugs are the bugs of a reducer.
var termBugs = []string{
	"substitute: argument is not shifted",
	"substitute: free variables keep their binders",
	"apply: both branches become one",
	"equal: arguments are ignored",
	"eta: variable in an argument is not seen",
}

// shows reports whether a reducer with the bug brings t, which is valid, into another normal form.
func (t *term) shows(bug string) bool {
	right, wrong := reducer{steps: maxSteps}, reducer{bug: bug, steps: maxSteps}
	return !right.normal(t).equal(wrong.normal(t))
}

// maxSteps bounds the substitutions of a reducer: with a bug it may not terminate.
const maxSteps = 1000

// A reducer brings terms into normal form, with the bug of a name. "" is without.
type reducer struct {
	bug   string
	steps int // that are left
}

// normal returns the normal form of a well-typed term, or another reduct of it if it takes too
// many steps.
func (r *reducer) normal(t *term) *term {
	switch t.Op {
	case "lam":
		body := r.normal(t.A)
		if body.Op == "app" && body.B.Op == "var" && body.B.N == 0 && !r.has(body.A, 0) {
			return body.A.shift(-1, 0)
		}
		return &term{Op: "lam", Type: t.Type, A: body}
	case "app":
		return r.apply(r.normal(t.A), r.normal(t.B))
	case "add":
		return plus(r.normal(t.A), r.normal(t.B))
	case "if":
		return r.choose(r.normal(t.A), r.normal(t.B), r.normal(t.C))
	}
	return t
}

// apply returns the normal form of f applied to x, which are normal.
func (r *reducer) apply(f, x *term) *term {
	switch f.Op {
	case "lam":
		if r.steps--; r.steps > 0 {
			return r.normal(r.substitute(f.A, 0, x))
		}
	case "if":
		a, b := r.apply(f.B, x), r.apply(f.C, x)
		if r.bug == "apply: both branches become one" {
			b = a
		}
		return r.choose(f.A, a, b)
	}
	return &term{Op: "app", A: f, B: x}
}

// plus returns the normal form of a sum: the constant is on its right.
func plus(a, b *term) *term {
	if a.Op == "number" {
		a, b = b, a
	}
	switch {
	case b.Op == "number" && b.N == 0:
		return a
	case a.Op == "number" && b.Op == "number":
		return &term{Op: "number", N: a.N + b.N}
	case a.Op == "add" && a.B.Op == "number" && b.Op == "number":
		return plus(a.A, &term{Op: "number", N: a.B.N + b.N})
	}
	return &term{Op: "add", A: a, B: b}
}

// choose returns the normal form of an if.
func (r *reducer) choose(a, b, c *term) *term {
	if a.Op == "true" || r.same(b, c) {
		return b
	}
	return &term{Op: "if", A: a, B: b, C: c}
}

// same reports whether t and u are equal, as the reducer sees it.
func (r *reducer) same(t, u *term) bool {
	if r.bug == "equal: arguments are ignored" && t.Op == "app" && u.Op == "app" {
		return r.same(t.A, u.A)
	}
	return t.equal(u)
}

// substitute returns t with x in place of the variable of the depth-th binder outside.
func (r *reducer) substitute(t *term, depth int, x *term) *term {
	if t == nil {
		return nil
	}
	if t.Op == "var" {
		switch {
		case t.N == depth && r.bug == "substitute: argument is not shifted":
			return x
		case t.N == depth:
			return x.shift(depth, 0)
		case t.N > depth && (depth == 0 || r.bug != "substitute: free variables keep their binders"):
			return &term{Op: "var", N: t.N - 1}
		}
		return t
	}
	inner := depth
	if t.Op == "lam" {
		inner++
	}
	return &term{Op: t.Op, N: t.N, Type: t.Type,
		A: r.substitute(t.A, inner, x), B: r.substitute(t.B, inner, x), C: r.substitute(t.C, inner, x)}
}

// shift adds n to the variables of t whose binders are outside of the depth innermost.
func (t *term) shift(n, depth int) *term {
	if t == nil || n == 0 {
		return t
	}
	u := *t
	switch {
	case t.Op == "var" && t.N >= depth:
		u.N += n
	case t.Op == "lam":
		depth++
	}
	u.A, u.B, u.C = t.A.shift(n, depth), t.B.shift(n, depth), t.C.shift(n, depth)
	return &u
}

// has reports whether the variable of the depth-th binder outside is in t.
func (r *reducer) has(t *term, depth int) bool {
	switch {
	case t == nil:
		return false
	case t.Op == "var":
		return t.N == depth
	case t.Op == "lam":
		return r.has(t.A, depth+1)
	case t.Op == "app" && r.bug == "eta: variable in an argument is not seen":
		return r.has(t.A, depth)
	}
	return r.has(t.A, depth) || r.has(t.B, depth) || r.has(t.C, depth)
}

// equal reports whether t and u are the same term.
func (t *term) equal(u *term) bool {
	if t == nil || u == nil {
		return t == u
	}
	return t.Op == u.Op && t.N == u.N && (t.Op != "lam" || t.Type.equal(u.Type)) &&
		t.A.equal(u.A) && t.B.equal(u.B) && t.C.equal(u.C)
}
