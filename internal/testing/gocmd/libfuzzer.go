package gocmd

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
)

// HasLibFuzzer reports whether there is a clang that has libFuzzer: Apple's has none, and some
// systems have it in a package of its own.
var HasLibFuzzer = sync.OnceValue(func() bool {
	dir, err := os.MkdirTemp("", "libfuzzer-*")
	if err != nil {
		return false
	}
	defer os.RemoveAll(dir)
	cmd := exec.Command("clang", "-fsanitize=fuzzer", "-o", filepath.Join(dir, "empty"), "-x",
		"c", "-")
	cmd.Stdin = strings.NewReader("int LLVMFuzzerTestOneInput(const unsigned char *data, " +
		"unsigned long size) { return 0; }\n")
	return cmd.Run() == nil
})
