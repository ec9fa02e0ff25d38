package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// An item is a schema of a file that others wrote.
type item struct {
	kind    string // see kinds
	source  string // see sourceDir
	path    string // of the file
	pointer string // to the schema; its first part is a document of YAML if the kind is crd
	sum     string // the SHA-256 of the file
}

func (i item) String() string { return i.kind + " " + i.source + " " + i.path + "#" + i.pointer }

// documentURL is where the document of an item is, if its schema refers to others in it.
const documentURL = "http://schema.test/document.json"

// job returns a job for the schema of an item.
func (i item) job(dir string, meta remotes) (job, error) {
	text, err := os.ReadFile(filepath.Join(dir, i.path))
	if err != nil {
		return job{}, fmt.Errorf("the source must be as listed, and whole: %w", err)
	}
	if got := sum(text); got != i.sum {
		return job{}, fmt.Errorf("the file has the SHA-256 %s, not %s: get the version that is listed", got, i.sum)
	}
	return i.jobOf(text, dir, meta)
}

func (i item) jobOf(text []byte, dir string, meta remotes) (job, error) {
	j := job{Schema: string(text), Draft: 7, Remotes: meta}
	if i.kind == "schemastore" {
		for _, host := range []string{"https://json.schemastore.org/", "https://www.schemastore.org/"} {
			j.Remotes = append(remotes{{host, filepath.Join(dir, filepath.Dir(i.path)) + "/", ""}}, j.Remotes...)
		}
	}
	if i.pointer == "" {
		return j, nil
	}
	docs, err := documents(i.path, text)
	if err != nil {
		return j, err
	}
	if i.kind == "openapi" {
		doc, err := json.Marshal(docs[0])
		if err != nil {
			return j, err
		}
		ref := documentURL + "#" + (&url.URL{Path: i.pointer}).EscapedPath()
		j.Schema = fmt.Sprintf(`{"$ref": %q}`, ref)
		j.Remotes = append(remotes{{documentURL, "", string(doc)}}, meta...)
		if j.Draft = 4; strings.HasPrefix(fmt.Sprint(at(docs[0], "/openapi")), "3.1") {
			j.Draft = 2020
		}
		return j, nil
	}
	schema, err := json.Marshal(at(any(docs), i.pointer))
	j.Schema, j.Draft = string(schema), 4
	return j, err
}

// documents reads the documents of a file of JSON or YAML: one or more.
func documents(path string, text []byte) (docs []any, err error) {
	if filepath.Ext(path) == ".json" {
		docs = make([]any, 1)
		return docs, json.Unmarshal(text, &docs[0])
	}
	for decoder := yaml.NewDecoder(bytes.NewReader(text)); ; {
		var doc any
		if err := decoder.Decode(&doc); err == io.EOF && docs != nil {
			return docs, nil
		} else if err != nil {
			return nil, err
		}
		docs = append(docs, doc)
	}
}

// unescape is for the parts of pointers, escape for the names that become parts.
var (
	unescape = strings.NewReplacer("~1", "/", "~0", "~")
	escape   = strings.NewReplacer("~", "~0", "/", "~1")
)

// at returns what a pointer leads to, or nil.
func at(v any, pointer string) any {
	for _, name := range strings.Split(pointer, "/")[1:] {
		switch w := v.(type) {
		case map[string]any:
			v = w[unescape.Replace(name)]
		case []any:
			if n, err := strconv.Atoi(name); err != nil || n < 0 || n >= len(w) {
				return nil
			} else {
				v = w[n]
			}
		default:
			return nil
		}
	}
	return v
}

// pointers returns the pointers to all schemas of a file.
func pointers(kind, path string, text []byte) (all []string) {
	docs, err := documents(path, text)
	switch {
	case err != nil:
	case kind == "crd":
		for i, doc := range docs {
			versions, _ := at(doc, "/spec/versions").([]any)
			for k := range versions {
				p := fmt.Sprintf("/%d/spec/versions/%d/schema/openAPIV3Schema", i, k)
				if at(doc, "/kind") == "CustomResourceDefinition" && at(any(docs), p) != nil {
					all = append(all, p)
				}
			}
		}
	case kind == "openapi":
		version := fmt.Sprint(at(docs[0], "/openapi"))
		names, _ := at(docs[0], "/components/schemas").(map[string]any)
		if strings.HasPrefix(version, "3.1") ||
			strings.HasPrefix(version, "3.0") && !bytes.Contains(text, []byte("nullable")) {
			for name := range names {
				all = append(all, "/components/schemas/"+escape.Replace(name))
			}
		}
	default:
		all = append(all, "")
	}
	return all
}

func sum(text []byte) string { return fmt.Sprintf("%x", sha256.Sum256(text)) }

//go:embed testdata/sources.tsv
var sourceList string

// rule is the beginning of the list.
const rule = `# Schemas of the wild, chosen before package jsonschema was measured against any of them.
# From each source of sources.tsv, the first files whose paths match, in the order of the SHA-256 of
# their paths; of each file, the first schema, in the order of the SHA-256 of its pointer, that the
# validator santhosh-tekuri/jsonschema compiles, with the remote files that are at hand: the drafts,
# and for SchemaStore, its own. Expressions with what package regexp does not have are for regexp2.
# Files of which it compiles none, copies of files, and files of 4 MiB or more, are left out. A crd is
# a version of a CustomResourceDefinition, an openapi a component of an OpenAPI document of version
# 3.1, or of 3.0 without the word nullable; no two of a source have the same name. The pointer of a
# crd begins with the document in its file.
# Made by: go run ./schemas wild -choose -dir DIR
`

// choose prints which schemas the rule chooses.
func choose(ctx context.Context, out io.Writer, o options) error {
	meta, err := drafts.dir(ctx)
	if err != nil {
		return err
	}
	fmt.Fprint(out, rule, "kind\tsource\tpath\tpointer\tsha256\n")
	seen := map[string]bool{}
	for line := range strings.Lines(sourceList) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		if f[0] == "kind" {
			continue
		}
		dir, err := sourceDir(ctx, f[1], o.dir)
		if err != nil {
			return err
		}
		most, err := strconv.Atoi(f[3])
		pattern, err2 := regexp.Compile("^(?:" + f[2] + ")$")
		if err := errors.Join(err, err2); err != nil {
			return fmt.Errorf("testdata/sources.tsv: %q: %w", line, err)
		}
		var paths []string
		if err := filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
			path, _ := filepath.Rel(dir, file)
			if err == nil && d.Type().IsRegular() && pattern.MatchString(path) {
				paths = append(paths, path)
			}
			return err
		}); err != nil {
			return err
		}
		inOrder(paths)
		for _, path := range paths {
			if most == 0 {
				break
			}
			text, err := os.ReadFile(filepath.Join(dir, path))
			if err != nil {
				return err
			}
			i := item{f[0], f[1], path, "", sum(text)}
			if !seen[i.sum] && len(text) < 4<<20 && i.first(text, dir, standard(meta), seen) {
				most--
				fmt.Fprintln(out, strings.Join([]string{i.kind, i.source, i.path, i.pointer, i.sum}, "\t"))
			}
			seen[i.sum] = true
		}
	}
	return nil
}

// first finds the first schema of a file, and reports whether there is one. Components whose names
// have been seen are left out.
func (i *item) first(text []byte, dir string, meta remotes, seen map[string]bool) bool {
	all := pointers(i.kind, i.path, text)
	inOrder(all)
	for _, i.pointer = range all {
		name := i.source + i.pointer
		if i.kind == "openapi" && seen[name] {
			continue
		}
		j, err := i.jobOf(text, dir, meta)
		if err == nil {
			_, err = newValidators(j)
		}
		if err == nil {
			seen[name] = true
			return true
		}
		fmt.Fprintf(os.Stderr, "left out: %s: %.300s\n", i, strings.Join(strings.Fields(err.Error()), " "))
	}
	return false
}

// inOrder sorts texts by their SHA-256.
func inOrder(texts []string) {
	slices.SortFunc(texts, func(a, b string) int { return strings.Compare(sum([]byte(a)), sum([]byte(b))) })
}
