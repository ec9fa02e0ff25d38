// Package planted has small programs for trying what a fuzzer finds. They are correct, unless
// the environment variable ESPALIER_PLANT names a bug to plant in them. So
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
// One random value in 100,000 to 400,000 shows a bst bug. One in 1.07e9 shows the ladder:
// there is one Sort in a plan on average, and each of the five other operators is where it
// must be, on the same column, with probability 1/64. A plan that meets some of the
// conditions is one new operator away from a plan that meets the next. The relations and the
// constants are rarer still.
//
// Each target has a generator, such as [GenPlan], and a property, such as [CheckPlan], that
// takes any testing.TB: so other tools can test the same.
package planted
