package libfuzzer

import (
	"archive/zip"
	"bytes"
	"crypto/sha1"
	"fmt"
	"strings"
)

// Mark is in the text files that corpusgen writes beside a binary.
const Mark = "# Written by corpusgen libfuzzer. Without this line, corpusgen keeps the file as it is."

// ZipMark is in the archives of seeds.
const ZipMark = "Written by corpusgen libfuzzer"

// SeedCorpus returns a zip archive of inputs, each under the name that libFuzzer would give it:
// the SHA-1 of its bytes.
func SeedCorpus(inputs [][]byte) ([]byte, error) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	if err := w.SetComment(ZipMark); err != nil {
		return nil, err
	}
	known := map[string]bool{}
	for _, in := range inputs {
		name := fmt.Sprintf("%x", sha1.Sum(in))
		if known[name] {
			continue
		}
		known[name] = true
		f, err := w.Create(name)
		if err != nil {
			return nil, err
		}
		if _, err := f.Write(in); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return b.Bytes(), err
}

// options is the file of options that OSS-Fuzz and ClusterFuzzLite read, of a target whose inputs have
// a structure: a value may take more than libFuzzer's 4096 bytes.
const options = Mark + "\n[libfuzzer]\nmax_len = 65536\n"

// LinkFlags returns the file of flags with which an archive is linked.
func LinkFlags(flags []string) []byte {
	return []byte(Mark + "\n" + strings.Join(flags, "\n") + "\n")
}
