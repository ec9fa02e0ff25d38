//go:build enginemutator

// Functions of codec_engine_test.go have no body.
