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

// Options returns the file of options that OSS-Fuzz and ClusterFuzzLite read. Dictionary is the
// name of the file that has one, or "".
func Options(dictionary string, structured bool) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s\n[libfuzzer]\n", Mark)
	if structured { // a value may take more than libFuzzer's 4096 bytes
		fmt.Fprintf(&b, "max_len = 65536\n")
	}
	if dictionary != "" {
		fmt.Fprintf(&b, "dict = %s\n", dictionary)
	}
	return b.Bytes()
}

// LinkFlags returns the file of flags with which an archive is linked.
func LinkFlags(flags []string) []byte {
	return []byte(Mark + "\n" + strings.Join(flags, "\n") + "\n")
}
