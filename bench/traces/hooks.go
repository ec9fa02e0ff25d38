package traces

import _ "unsafe" // for go:linkname

// Instrumented code also reports comparisons, which are not part of a trace.

//go:linkname traceCmp1 runtime.libfuzzerTraceCmp1
//go:linkname traceCmp2 runtime.libfuzzerTraceCmp2
//go:linkname traceCmp4 runtime.libfuzzerTraceCmp4
//go:linkname traceCmp8 runtime.libfuzzerTraceCmp8
//go:linkname traceConstCmp1 runtime.libfuzzerTraceConstCmp1
//go:linkname traceConstCmp2 runtime.libfuzzerTraceConstCmp2
//go:linkname traceConstCmp4 runtime.libfuzzerTraceConstCmp4
//go:linkname traceConstCmp8 runtime.libfuzzerTraceConstCmp8
//go:linkname hookStrCmp runtime.libfuzzerHookStrCmp
//go:linkname hookEqualFold runtime.libfuzzerHookEqualFold

func traceCmp1(x, y uint8, pc uint)       {}
func traceCmp2(x, y uint16, pc uint)      {}
func traceCmp4(x, y uint32, pc uint)      {}
func traceCmp8(x, y uint64, pc uint)      {}
func traceConstCmp1(x, y uint8, pc uint)  {}
func traceConstCmp2(x, y uint16, pc uint) {}
func traceConstCmp4(x, y uint32, pc uint) {}
func traceConstCmp8(x, y uint64, pc uint) {}
func hookStrCmp(x, y string, pc uint)     {}
func hookEqualFold(x, y string, pc uint)  {}
