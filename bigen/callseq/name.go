package callseq

// A Name is the name of an instance of a [Pool], in [Calls], such as it1: it stands for what an
// earlier call has made. An instance with the empty name is not used by later calls.
type Name string
