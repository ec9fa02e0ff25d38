package api

// defaultContracts returns those that hold for all values of a type, by the methods that it has.
func defaultContracts[T any](c *C) []contract[T] { return nil }
