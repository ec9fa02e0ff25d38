package exchange

import (
	"errors"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gosource"
)

// module is the path of the module whose package fuzzext makes fuzz functions of one []byte.
const module = "github.com/espalier-go/espalier"

// signatureOf returns the types of the arguments that a fuzz target in the directory takes, besides
// its *testing.T. It is not ok if the source does not tell them. Tags are build tags.
//
// It compiles nothing and needs no dependency: the arguments of a fuzz target have predeclared
// types, so the package's own source tells them, unless the fuzz function, or the call of f.Fuzz,
// is in another package.
func signatureOf(dir, target string, tags []string) (args []reflect.Type, ok bool) {
	context := build.Default
	context.BuildTags = tags
	pkg, err := context.ImportDir(dir, 0)
	if noGo := (*build.NoGoError)(nil); err != nil && !errors.As(err, &noGo) {
		return nil, false
	}
	inside := slices.Concat(pkg.GoFiles, pkg.CgoFiles, pkg.TestGoFiles)
	for _, names := range [][]string{inside, pkg.XTestGoFiles} {
		if args, ok := inFiles(dir, names, target); ok {
			return args, true
		}
	}
	return nil, false
}

// inFiles searches a package for a target.
func inFiles(dir string, names []string, target string) (args []reflect.Type, ok bool) {
	fset := token.NewFileSet()
	var files []*ast.File
	var fn *ast.FuncDecl
	for _, name := range names {
		f, err := parser.ParseFile(fset, filepath.Join(dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, false
		}
		files = append(files, f)
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Recv == nil && d.Name.Name == target {
				fn = d
			}
		}
	}
	if fn == nil || fn.Body == nil || len(fn.Type.Params.List) != 1 ||
		len(fn.Type.Params.List[0].Names) != 1 {
		return nil, false
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}}
	config := types.Config{Importer: nothing{}, FakeImportC: true, Error: func(error) {}}
	_, _ = config.Check("p", fset, files, info) // imports are missing
	f := fn.Type.Params.List[0].Names[0].Name
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if call, isCall := n.(*ast.CallExpr); isCall && !ok {
			args, ok = ofCall(info, call, f)
		}
		return !ok
	})
	return args, ok
}

// ofCall returns the arguments of the fuzz function if a call gives it to the engine: f.Fuzz, or
// fuzzext.Fuzz with f.
func ofCall(info *types.Info, call *ast.CallExpr, f string) (args []reflect.Type, ok bool) {
	qualifier, name := gosource.Callee(call)
	q, isIdent := qualifier.(*ast.Ident)
	switch {
	case !isIdent || name != "Fuzz" || len(call.Args) == 0:
		return nil, false
	case ofModule(info, q):
		return []reflect.Type{reflect.TypeFor[[]byte]()}, true
	case q.Name != f:
		return nil, false
	}
	arg := ast.Unparen(call.Args[0])
	if made, isCall := arg.(*ast.CallExpr); isCall {
		if q, _ := gosource.Callee(made); q != nil {
			if q, isIdent := q.(*ast.Ident); isIdent && ofModule(info, q) {
				return []reflect.Type{reflect.TypeFor[[]byte]()}, true
			}
		}
	}
	typ := info.TypeOf(arg)
	if typ == nil {
		return nil, false
	}
	sig, ok := typ.Underlying().(*types.Signature)
	if !ok || sig.Params().Len() < 2 {
		return nil, false
	}
	for i := 1; i < sig.Params().Len(); i++ {
		arg, known := supported[types.Unalias(sig.Params().At(i).Type()).String()]
		if !known {
			return nil, false
		}
		args = append(args, arg)
	}
	return args, true
}

// ofModule reports whether an identifier names a package of this module.
func ofModule(info *types.Info, id *ast.Ident) bool {
	pkg, ok := info.Uses[id].(*types.PkgName)
	return ok && strings.HasPrefix(pkg.Imported().Path(), module+"/fuzzext")
}

// isText reports whether arguments are a text, or bytes, alone.
func isText(types []reflect.Type) bool {
	return len(types) == 1 &&
		(types[0].Kind() == reflect.String || types[0] == reflect.TypeFor[[]byte]())
}

// ArgumentType returns the type of arguments that has a name, such as []byte.
func ArgumentType(name string) (typ reflect.Type, ok bool) {
	typ, ok = supported[name]
	return typ, ok
}

// supported are the types of arguments that testing.F supports, by name.
var supported = map[string]reflect.Type{
	"[]byte": reflect.TypeFor[[]byte](), "[]uint8": reflect.TypeFor[[]byte](),
	"string": reflect.TypeFor[string](), "bool": reflect.TypeFor[bool](),
	"byte": reflect.TypeFor[byte](), "rune": reflect.TypeFor[rune](),
	"float32": reflect.TypeFor[float32](), "float64": reflect.TypeFor[float64](),
	"int": reflect.TypeFor[int](), "int8": reflect.TypeFor[int8](),
	"int16": reflect.TypeFor[int16](), "int32": reflect.TypeFor[int32](),
	"int64": reflect.TypeFor[int64](),
	"uint":  reflect.TypeFor[uint](), "uint8": reflect.TypeFor[uint8](),
	"uint16": reflect.TypeFor[uint16](), "uint32": reflect.TypeFor[uint32](),
	"uint64": reflect.TypeFor[uint64](),
}

// nothing imports empty packages.
type nothing struct{}

func (nothing) Import(path string) (*types.Package, error) {
	name := path[strings.LastIndexByte(path, '/')+1:]
	pkg := types.NewPackage(path, name)
	pkg.MarkComplete()
	return pkg, nil
}
