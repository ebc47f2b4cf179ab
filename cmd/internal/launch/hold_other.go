//go:build !(linux && amd64) || purego

package launch

import "os"

// holds says that signals can be held.
const holds = false

// hold makes signals wait until release.
func hold([]os.Signal) (release func()) { return func() {} }
