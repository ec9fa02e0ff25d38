package containers

import "os"

// planted says that cursors have a bug.
var planted = os.Getenv("ESPALIER_PLANT") == "queue-cursor"
