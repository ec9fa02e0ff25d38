package sessions_test

import _ "github.com/espalier-go/espalier/internal/testing/long" // collects garbage less often
