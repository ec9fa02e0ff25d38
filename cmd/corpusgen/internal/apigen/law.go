package apigen

import (
	"go/types"
	"regexp"
	"strings"
)

// A law is what calls of a package may obey. Its calls are F, G and H:
//
//	{
//		name: "Idempotent", says: "F changes nothing in what it has returned.",
//		names: []string{"^(Clean|Trim)"}, shape: "F(x A, ...) A",
//		text: "want := F(x)\ngot := F(want) or fail\nsame got, want",
//	}
//
// The shape has their parameters, of which a receiver is the first, and their results. Variables are
// values that are generated, once each. Letters are any types, but everywhere the same:
//
//	A, B any  D any but A  E types of the package  N numbers  I integers
//	S what len takes  T strings and []byte
//
// A call may have further parameters where "..." stands: details, which are generated as well. It
// may fail, by an error or a bool, unless "!" follows, which says that it must be able to. The
// lines of the text are in law_text.go.
type law struct {
	name  string   // ends the name of the test
	says  string   // its comment
	names []string // what names of F, G and H match; $1 is what the first group of F's has matched
	shape string
	text  string
	// sure says that a failure is probably an error of the package. Of other laws, no user needs to
	// know if they are wrong.
	sure bool
	weak bool // types alone suggest it
}

// Names of functions that promise something.
const (
	cleans = `^(Clean(ed)?|Normali[sz]ed?|Canonical(i[sz]ed?)?|Simplify|Sanitize|TrimSpace|Dedup\w*|` +
		`Uniq(ue)?|Sort(ed)?)$`
	normalizes = `^(Clean|Normali[sz]e|Canon|Format$|Fmt|Trim|To[A-Z][a-z]+$|Simplify|Sanitize|Strip|` +
		`Compact|Dedup|Uniq|Sort|Lower|Upper|Title|Fold|Squeeze|Collapse|Abs$|Round|Floor|Ceil|Trunc|` +
		`Minify|Slug|Tidy)`
	inverts = `^(Reverse[sd]?|Rev|Invert(ed)?|Inverse|Neg(ate)?|Not|Complement|Flip|Transpose|Conj|` +
		`Conjugate|Mirror|SwapCase|Swap|Opposite|Rot13|ROT13)$`
	commutes = `^(Add|Sum|Plus|Mul|Times|Max|Min|GCD|Gcd|LCM|Lcm|And|Or|Xor|Union|Intersect|` +
		`Intersection|SymmetricDifference|Intersects|Overlaps?|Disjoint|IsDisjoint)$`
	repeats   = `^(Max|Min|And|Or|Union|Intersect|Intersection|GCD|Gcd|LCM|Lcm|Merge)$`
	distances = `(Distance|Levenshtein|Hamming|Dist)$`
	alikeness = `(Similarity|Similar|Jaccard|Ratio)$`
	copies    = `^(Clone|Copy|DeepCopy|Dup|Duplicate)$`
	keeps     = `^(Reverse|SwapCase|Swap|Shuffle|Rot\w*|ROT13|Mask|Sort(ed)?|Xor|XOR)$`
	shortens  = `^(Trim|Strip|Truncate|Trunc|Base|Ext|Before|After|Head|Tail|Take|Drop|Prefix|Suffix|` +
		`Left|Right|Substr|First|Last)`
	grows     = `^(Round|Floor|Ceil|Trunc|Log\d*|Sqrt|Cbrt|\w*Size|\w*Len|Bits)$`
	compares  = `^(Compare|Cmp)$`
	equals    = `^(Equals?|Eq|Same|EqualFold)$`
	less      = `^(Less|LessThan|Lt|LT|Before|IsLess|IsBefore)$`
	greater   = `^(Greater|GreaterThan|Gt|GT|After|IsAfter|IsGreater)$`
	atMost    = `^(LessThanOrEquals?|LessOrEquals?|Lte|LTE|Le|LE|LessEqual)$`
	atLeast   = `^(GreaterThanOrEquals?|GreaterOrEquals?|Gte|GTE|Ge|GE|GreaterEqual)$`
	isZero    = `^(IsZero|IsEmpty|Empty|IsNil|IsNull)$`
	counts    = `^(Len|Size|Count|Cardinality)$`
	validates = `^(Is)?(Valid(ate)?|Check)(\w*)$`
	anyName   = ``
)

// agree is the text of two calls that return the same.
const agree = "want := G(x)\ngot := F(x) or fail\nsame got, want"

// table lists the laws, the strongest first. Round trips and models are in files of their own.
var table = []law{
	{
		name: "Idempotent", says: "F changes nothing in what it has returned.",
		names: []string{cleans}, shape: "F(x A, ...) A", sure: true,
		text: "want := F(x)\ngot := F(want) or fail\nsame got, want",
	},
	{
		name: "Idempotent", says: "F changes nothing in what it has returned.",
		names: []string{normalizes}, shape: "F(x A, ...) A",
		text: "want := F(x)\ngot := F(want) or fail\nsame got, want",
	},
	{
		name: "Involution", says: "F undoes itself.",
		names: []string{inverts}, shape: "F(x A, ...) A",
		text: "once := F(x)\ngot := F(once) or fail\nsame got, x",
	},
	{
		name: "Commutative", says: "F does not depend on the order of its arguments.",
		names: []string{commutes}, shape: "F(x A, y A, ...) B",
		text: "want := F(x, y)\ngot := F(y, x) or fail\nsame got, want",
	},
	{
		name: "OfTheSame", says: "F of two equal values is that value.",
		names: []string{repeats}, shape: "F(x A, y A) A",
		text: "got := F(x, x) or fail\nsame got, x",
	},
	{
		name: "Distance", says: "F is a distance: 0 from a value to itself, the same both ways.",
		names: []string{distances}, shape: "F(x A, y A, ...) N",
		text: "let xx = F(x, x)\nlet xy = F(x, y)\nlet yx = F(y, x)\n" +
			"fail xx != 0: a value has a distance to itself\n" +
			"fail xy < 0: a distance is negative\n" +
			"fail xy != yx: the distances there and back differ",
	},
	{
		name: "Triangle", says: "F never finds a detour that is shorter.",
		names: []string{distances}, shape: "F(x A, y A) I; z A",
		text: "let xy = F(x, y)\nlet yz = F(y, z)\nlet xz = F(x, z)\n" +
			"fail xz > xy+yz: the way over y is shorter",
	},
	{
		name: "Similarity", says: "F is 1 for equal values, the same both ways, and from 0 to 1.",
		names: []string{alikeness}, shape: "F(x A, y A, ...) N",
		text: "let xx = F(x, x)\nlet xy = F(x, y)\nlet yx = F(y, x)\n" +
			"fail xx != 1: a value is not similar to itself\n" +
			"fail xy < 0 || xy > 1: a similarity is out of range\n" +
			"fail xy != yx: the similarities both ways differ",
	},
	{
		name: "Equal", says: "F returns a copy.",
		names: []string{copies}, shape: "F(x A) A", sure: true,
		text: "got := F(x) or fail\nsame got, x",
	},
	{
		name: "KeepsLength", says: "F returns as much as it takes.",
		names: []string{keeps}, shape: "F(x S, ...) S",
		text: "got := F(x)\nfail len(got) != len(x): the length differs",
	},
	{
		name: "Within", says: "F returns a part of what it takes.",
		names: []string{shortens}, shape: "F(x T, ...) T",
		text: "got := F(x)\nfail !strings.Contains(string(x), string(got)): this is not a part of it",
	},
	{
		name: "Monotone", says: "F never decreases.",
		names: []string{grows}, shape: "F(x N, ...) N; y N",
		text: "when x <= y\nlet fx = F(x)\nlet fy = F(y)\nfail fx > fy: it decreases",
	},
	{
		name: "Order", says: "F is an order.",
		names: []string{compares}, shape: "F(x A, y A) int; z A", sure: true,
		text: "let xx = F(x, x)\nlet xy = F(x, y)\nlet yx = F(y, x)\nlet yz = F(y, z)\n" +
			"let xz = F(x, z)\n" +
			"fail xx != 0: a value does not equal itself\n" +
			"fail cmp.Compare(xy, 0) != -cmp.Compare(yx, 0): the order is not antisymmetric\n" +
			"fail xy <= 0 && yz <= 0 && xz > 0: the order is not transitive",
	},
	{
		name: "Order", says: "F is a strict order.",
		names: []string{"(" + less + "|" + greater + ")"}, shape: "F(x A, y A) bool; z A", sure: true,
		text: "let xx = F(x, x)\nlet xy = F(x, y)\nlet yx = F(y, x)\nlet yz = F(y, z)\n" +
			"let xz = F(x, z)\n" +
			"fail xx: a value comes before itself\n" +
			"fail xy && yx: two values come before each other\n" +
			"fail xy && yz && !xz: the order is not transitive",
	},
	{
		name: "Equality", says: "F is an equality.",
		names: []string{equals}, shape: "F(x A, y A) bool; z A", sure: true,
		text: "let xx = F(x, x)\nlet xy = F(x, y)\nlet yx = F(y, x)\nlet yz = F(y, z)\n" +
			"let xz = F(x, z)\n" +
			"fail !xx: a value does not equal itself\n" +
			"fail xy != yx: equality is not symmetric\n" +
			"fail xy && yz && !xz: equality is not transitive",
	},
	comparing(equals, "== 0"),
	comparing(less, "< 0"),
	comparing(greater, "> 0"),
	comparing(atMost, "<= 0"),
	comparing(atLeast, ">= 0"),
	opposed(greater, "y, x", "!=", "holds the other way around"),
	opposed(atLeast, "x, y", "==", "does not"),
	opposed(atMost, "y, x", "==", "does not hold the other way around"),
	{
		name: "Valid", says: "F accepts what G does.",
		names: []string{validates, `^(Parse|New|Decode|Unmarshal|From|Read)\w*$`},
		shape: "F(x T) bool; G(x T) _!",
		text:  "try G(x)\nlet valid = F(x)\nfail valid != (err == nil): F and G disagree",
	},
	{
		name: "Agrees", says: "F agrees with G.",
		names: []string{`^Must(\w+)$`, `^$1$`}, shape: "F(x A, ...) B; G(x A, ...) B!", sure: true,
		text: agree,
	},
	{
		name: "Zero", says: "F reports that G is 0.",
		names: []string{isZero, counts}, shape: "F(x E) bool; G(x E) int", sure: true,
		text: "let empty = F(x)\nlet n = G(x)\nfail empty != (n == 0): F and G disagree",
	},
	{
		name: "Idempotent", says: "F changes nothing in what it has returned.",
		names: []string{anyName}, shape: "F(x A, ...) A", weak: true,
		text: "want := F(x)\ngot := F(want) or fail\nsame got, want",
	},
	{
		name: "Involution", says: "F undoes itself.",
		names: []string{anyName}, shape: "F(x A) A", weak: true,
		text: "once := F(x)\ngot := F(once) or fail\nsame got, x",
	},
	{
		name: "Commutative", says: "F does not depend on the order of its arguments.",
		names: []string{anyName}, shape: "F(x A, y A) B", weak: true,
		text: "want := F(x, y)\ngot := F(y, x) or fail\nsame got, want",
	},
	{
		name: "Within", says: "F returns a part of what it takes.",
		names: []string{anyName}, shape: "F(x T, ...) T", weak: true,
		text: "got := F(x)\nfail !strings.Contains(string(x), string(got)): this is not a part of it",
	},
	{
		name: "Contains", says: "F returns what it takes, with more around it.",
		names: []string{anyName}, shape: "F(x T, ...) T", weak: true,
		text: "got := F(x)\nfail !strings.Contains(string(got), string(x)): this does not contain it",
	},
	{
		name: "KeepsLength", says: "F returns as much as it takes.",
		names: []string{anyName}, shape: "F(x S, ...) S", weak: true,
		text: "got := F(x)\nfail len(got) != len(x): the length differs",
	},
	{
		name: "Distributes", says: "F of two texts in a row is F of each.",
		names: []string{anyName}, shape: "F(x T) T; y T", weak: true,
		text: "got := F(x + y)\nfx := F(x)\nfy := F(y)\nfail got != fx+fy: each gives something else",
	},
	{
		name: "Counts", says: "F of two texts in a row is the sum of F of each.",
		names: []string{anyName}, shape: "F(x T) int; y T", weak: true,
		text: "let xy = F(x + y)\nlet fx = F(x)\nlet fy = F(y)\nfail xy != fx+fy: the sum differs",
	},
	{
		name: "Premetric", says: "F is 0 between equal values, and never negative.",
		names: []string{anyName}, shape: "F(x A, y A) N", weak: true,
		text: "let xx = F(x, x)\nlet xy = F(x, y)\nfail xx != 0: it is not 0\nfail xy < 0: it is negative",
	},
	{
		name: "Reflexive", says: "F holds between a value and itself.",
		names: []string{anyName}, shape: "F(x A, y A) bool", weak: true,
		text: "let xx = F(x, x)\nfail !xx: it does not hold",
	},
	{
		name: "RoundTrip", says: "G undoes F.",
		names: []string{anyName, anyName}, shape: "F(x A) D; G(d D) A", weak: true,
		text: "data := F(x)\ngot := G(data) or fail\nsame got, x",
	},
	{
		name: "Implies{G}", says: "G holds wherever F does.",
		names: []string{anyName, anyName}, shape: "F(x A) bool; G(x A) bool", weak: true,
		text: "let narrow = F(x)\nlet wide = G(x)\nwhen narrow\nfail !wide: F holds, but not G",
	},
	{
		name: "FailsEmpty", says: "F returns nothing beside an error.",
		names: []string{anyName}, shape: "F(x A, ...) B!", weak: true,
		text: "try got := F(x)\nwhen err != nil\nempty got",
	},
}

// comparing is the law of a call that says what a comparison with 0 says.
func comparing(names, with string) law {
	return law{
		name: "AgreesWith{G}", says: "F agrees with G.",
		names: []string{names, compares}, shape: "F(x A, y A) bool; G(x A, y A) int", sure: true,
		text: "let holds = F(x, y)\nlet order = G(x, y)\n" +
			"fail holds != (order " + with + "): F disagrees with G",
	}
}

// opposed is the law of a call that says what an order says, but for the direction.
func opposed(names, before, op, says string) law {
	return law{
		name: "AgreesWith{G}", says: "F holds if G " + says + ".",
		names: []string{names, less}, shape: "F(x A, y A) bool; G(x A, y A) bool", sure: true,
		text: "let holds = F(x, y)\nlet before = G(" + before + ")\n" +
			"fail holds " + op + " before: F disagrees with G",
	}
}

// is reports whether a type is of the kind that a letter of a shape stands for.
func (p *Properties) is(letter string, t types.Type) bool {
	basic, _ := t.Underlying().(*types.Basic)
	info := types.BasicInfo(0)
	if basic != nil {
		info = basic.Info()
	}
	switch letter[0] {
	case 'N':
		return info&types.IsNumeric != 0 && info&types.IsComplex == 0
	case 'I':
		return info&types.IsInteger != 0
	case 'T':
		return isText(t)
	case 'S':
		switch t.Underlying().(type) {
		case *types.Slice, *types.Map:
			return true
		}
		return info&types.IsString != 0
	case 'D':
		return !isError(t) && !isAny(t)
	case 'E':
		n := namedOf(t)
		return n != nil && p.e.own(n)
	}
	return !isError(t) && !isAny(t)
}

// expand returns what the name of a call must match, with the groups of the first one's.
func expand(pattern string, groups []string) string {
	for i, g := range groups {
		if i > 0 {
			pattern = strings.ReplaceAll(pattern, "$"+string(rune('0'+i)), regexp.QuoteMeta(g))
		}
	}
	return pattern
}
