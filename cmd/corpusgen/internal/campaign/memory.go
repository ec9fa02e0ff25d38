package campaign

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// memory is an amount of memory in bytes, as a flag: 64KB, 100MB or 2GB.
type memory uint64

// units are the units of memory, the largest first.
var units = []struct {
	name  string
	bytes uint64
}{{"GB", 1 << 30}, {"MB", 1 << 20}, {"KB", 1 << 10}, {"B", 1}}

// Set implements [flag.Value].
func (m *memory) Set(s string) error {
	for _, u := range units {
		number, ok := strings.CutSuffix(strings.ToUpper(s), u.name)
		if !ok {
			continue
		}
		n, err := strconv.ParseUint(number, 10, 64)
		if err != nil || n == 0 || n > math.MaxInt64/u.bytes {
			break
		}
		*m = memory(n * u.bytes)
		return nil
	}
	return fmt.Errorf("want a number of bytes with a unit, such as 64KB, 100MB or 2GB")
}

// String implements [flag.Value].
func (m *memory) String() string {
	for _, u := range units {
		if n := uint64(*m); n >= u.bytes && n%u.bytes == 0 {
			return fmt.Sprintf("%d%s", n/u.bytes, u.name)
		}
	}
	return "0"
}
