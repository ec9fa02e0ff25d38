package varied

import (
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/hash"
)

// narrow is how far apart the ends of a range are at most unless the range is wide.
const narrow = 64

// veryWide is how far apart the ends of a range are at most unless integers of it hardly ever meet.
const veryWide = 1 << 16

// drawWide draws an integer as [choices.Random] does. But of the integers of a wide range, one
// in four is drawn as if the question favored edges: where a length may be large, it is small
// now and then, and the ends occur.
func drawWide(q *choices.Question, u uint64) int64 {
	if u&3 == 0 && uint64(q.Hi)-uint64(q.Lo) > narrow {
		return drawEdge(q, u)
	}
	return q.DrawInt(u)
}

// edge draws an end of the range, a neighbor of an end or of the origin, or what drawEdge
// draws.
func edge(q *choices.Question, u uint64) int64 {
	origin := q.Kind.Origin(q.Lo, q.Hi)
	switch u & 15 {
	case 0, 1, 2:
		return q.Lo
	case 3, 4, 5:
		return q.Hi
	case 6:
		return q.Lo + 1
	case 7:
		return q.Hi - 1
	case 8:
		return origin
	case 9:
		if origin != q.Hi {
			return origin + 1
		}
	case 10:
		if origin != q.Lo {
			return origin - 1
		}
	}
	return drawEdge(q, hash.Mix(u, 0))
}

// drawEdge draws an integer of the range as if the question favored edges.
func drawEdge(q *choices.Question, u uint64) int64 {
	edges := choices.Question{Kind: q.Kind, Lo: q.Lo, Hi: q.Hi, Edges: true}
	return edges.DrawInt(u)
}
