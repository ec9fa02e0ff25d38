package fuzzext

import (
	"os"
	"strings"
)

// ArtifactDir returns a directory of the run. If the run is the one that is reported, and go test
// has the flag -artifacts, its files are copied to the directory of the test. Otherwise they are
// removed. With -fuzzext.keepgoing they always are: run the saved failures alone.
func (t *T) ArtifactDir() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	r := t.recording()
	if r.artifacts == "" {
		var err error
		if r.artifacts, err = os.MkdirTemp("", "fuzzext-*"); err != nil {
			panic("fuzzext: ArtifactDir: " + err.Error())
		}
		t.shared.keepArtifacts(r.artifacts)
	}
	return r.artifacts
}

// Attr records an attribute. The test has it if the run is the one that is reported.
func (t *T) Attr(key, value string) {
	if strings.ContainsAny(key, " \t\r\n") || strings.ContainsAny(value, "\r\n") {
		t.Errorf("Attr: %q=%q: a key must have no space, and a value no newline", key, value)
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	r := t.recording()
	r.attrs = append(r.attrs, [2]string{key, value})
}

// publish gives the test the attributes and the artifacts of a run, and returns where these are, or
// "".
func (t *T) publish() (dir string) {
	r := t.left()
	for _, a := range r.attrs {
		t.testingTB.Attr(a[0], a[1])
	}
	tb, ok := t.testingTB.(interface{ ArtifactDir() string }) // since Go 1.26, with the flag
	if !ok || r.artifacts == "" || flagValue("test.artifacts") != "true" {
		return ""
	}
	dir = tb.ArtifactDir()
	if err := os.CopyFS(dir, os.DirFS(r.artifacts)); err != nil {
		t.testingTB.Errorf("fuzzext: the artifacts of the failing value: %v", err)
	}
	return dir
}
