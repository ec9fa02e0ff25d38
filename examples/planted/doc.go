// Package planted has small programs that are correct, unless the environment variable
// ESPALIER_PLANT names a bug that they are to have: for trying what a fuzzer finds. So
//
//	go test ./examples/planted
//
// passes, and
//
//	ESPALIER_PLANT=bst-union go test ./examples/planted -run '^$' -fuzz '^FuzzUnion$'
//
// has something to find.
//
//	bug          target      what it takes
//	bst-insert   FuzzInsert  a search tree and an integer in it that has integers below
//	bst-delete   FuzzDelete  an integer to delete with two inner subtrees below
//	bst-floor    FuzzFloor   a path that turns right and then left eight times
//	bst-union    FuzzUnion   a path left, right, left and right, to an integer of the other tree
//	share-merge  FuzzShare   a relation: two equal expressions of seven different nodes
//	cache-stale  FuzzCalls   a relation: put, get, delete, put and get of one key of 10000
//	ladder       FuzzPlan    five rare conditions, each of which shows only below the one before
//	const-int    FuzzScript  one integer of 32 bits, two levels deep or deeper
//	const-string FuzzScript  one text of 14 characters, two levels deep or deeper
//
// Random values have the bst bugs once in 100,000 to 400,000 times. They have the ladder
// once in 1.07e9 times: there is one Sort in a plan on average, and each of the five other
// operators stands where it must, on the same column, with probability 1/64. A plan that
// meets some of the conditions is one new operator away from one that meets the next. The
// relations and the constants are rarer still.
//
// For each target there are a generator, as [GenPlan], and a property, as [CheckPlan], which
// takes any testing.TB: so other tools can be given the same.
package planted
