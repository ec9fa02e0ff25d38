package confine

// oldModes are what newer systems do not have.
var oldModes []uint32
