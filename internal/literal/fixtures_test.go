package literal_test

// This file declares the types of the values in the tests. It is type-checked
// together with the expressions that they print as, so it uses no test packages.

import (
	"math"
	"math/rand/v2"
	"time"
	"unsafe"
)

type (
	myInt    int
	myFloat  float64
	myString string
	myBool   bool
	myBytes  []byte
	myByte   byte
	myTime   time.Time
	myFunc   func(int) string
	mySlice  []point
	myMap    map[string]int
	myPtr    *point
	selfPtr  *selfPtr
	selfList []selfList
)

type point struct{ X, Y int }

type line struct {
	From, To *point
	Name     string
	tags     []string
}

type everything struct {
	B   bool
	I   int
	I8  int8
	R   rune
	U   uint64
	P   uintptr
	F   float64
	F32 float32
	MF  myFloat
	C   complex128
	C64 complex64
	S   string
	MS  myString

	Bytes  []byte
	My     myBytes
	Ints   []int
	Array  [2]int
	Points []point
	Ptrs   []*point
	Map    map[string]point
	Point  point
	Ptr    *point
	MyPtr  myPtr
	IntPtr *int
	PtrPtr **int
	AnyPtr *any
	Any    any
	Err    error

	Dur      time.Duration
	Time     time.Time
	TimePtr  *time.Time
	MyTime   myTime
	Func     func(int) string
	Chan     chan int
	Unsafe   unsafe.Pointer
	Nested   *everything
	Anon     struct{ A int }
	_        int
	unexport time.Time
}

type node struct {
	Value       int
	Left, Right *node
}

type box[T any] struct{ V T }

type blank struct{ _ int }

type pair[K comparable, V any] struct {
	Key K
	Val V
}

type graph struct {
	Name  string
	Edges map[*graph]int
}

type longNames struct {
	A                              int
	AVeryLongFieldNameIndeedItIsSo int
	List                           []int
}

type twoFields = struct {
	X int `k:"x;{ }"`
	y string
}

type embedded = struct {
	point
	*line
	box[int]
}

type methods = interface {
	Read(p []byte) (n int, err error)
	close()
}

type failure struct{ Code int }

func (failure) Error() string { return "failure" }

// These keep the imports and unexported names in use.
var (
	_ = math.Pi
	_ rand.PCG
	_ = line{}.tags
	_ = everything{}.unexport
	_ = twoFields{}.y
)
