package bug

import (
	"reflect"
	"testing"
)

type sized struct {
	Texts []string
	Any   any
	Next  *sized
	Named map[string][]int
}

// Empty and nil have the same size, and the value itself stays as it is.
func TestSize(t *testing.T) {
	value := func() sized {
		return sized{[]string{}, []int{}, &sized{Texts: []string{}, Any: map[string]int{}},
			map[string][]int{"a": {}}}
	}
	v := value()
	if got, want := sizeOf(v),
		sizeOf(sized{nil, []int(nil), &sized{Any: map[string]int(nil)},
			map[string][]int{"a": nil}}); got != want {
		t.Errorf("%d, want %d", got, want)
	}
	if !reflect.DeepEqual(v, value()) {
		t.Errorf("the value has become %+v", v)
	}
	if sizeOf([]string{"a", "b"}) == sizeOf([]string(nil)) {
		t.Error("an element takes no room")
	}
}
