package plain

// PlanSeeds and ScriptSeeds are texts that show the notation, and that are far from any bug.
var (
	PlanSeeds = []string{
		"limit 4 scan 1",
		"reverse filter 0 scan 2",
		"sort 5 distinct 2 scan 3",
		"semijoin 1 scan 1 scan 6",
	}
	ScriptSeeds = []string{
		"set a 7\nadd a -12\nprint a\n",
		"say hello\nif b\n  say again\nend\nrepeat 3\n  print c\nend\n",
	}
)
