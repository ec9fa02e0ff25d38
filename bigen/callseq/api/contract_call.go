package api

// callContracts returns all contracts about calls, for a machine.
func callContracts() []callContract {
	return []callContract{&clones{}, &validity{}, &givenBytes{}, &handlers{}}
}
