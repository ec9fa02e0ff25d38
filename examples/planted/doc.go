// Package planted has small programs that are correct, unless the environment variable
// ESPALIER_PLANT names a bug that they are to have: for trying what a fuzzer finds. So
//
//	go test ./examples/planted
//
// passes, and
//
//	ESPALIER_PLANT=cache-stale go test ./examples/planted -run '^$' -fuzz '^FuzzCalls$'
//
// has something to find.
//
//	bug          target      what it takes
//	bst-insert   FuzzInsert  an integer to insert that is in the tree, 15 levels down, and has others below
//	bst-delete   FuzzDelete  an integer to delete whose subtrees have inner subtrees three levels deep
//	bst-floor    FuzzFloor   a path that turns right and then left nine times
//	bst-union    FuzzUnion   a path left and right three times, to an integer of the other tree
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
