package planted

import (
	"fmt"
	"os"
	"strings"
)

// Env is the environment variable that names the bug to plant.
const Env = "ESPALIER_PLANT"

type bug int

const (
	none bug = iota
	bstInsert
	bstDelete
	bstUnion
	bstFloor
	shareMerge
	cacheStale
	ladder
	constInt
	constString
)

var names = []string{"", "bst-insert", "bst-delete", "bst-union", "bst-floor", "share-merge",
	"cache-stale", "ladder", "const-int", "const-string"}

// planted is the bug that the package has.
var planted = parseBug(os.Getenv(Env))

func parseBug(name string) bug {
	for b, n := range names {
		if n == name {
			return bug(b)
		}
	}
	panic(fmt.Sprintf("planted: %s=%q names no bug: want one of %s, or nothing", Env, name,
		strings.Join(names[1:], ", ")))
}
