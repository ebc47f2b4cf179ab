package datafile

import (
	"testing"
	"unsafe"

	"github.com/slimsvm/slimsvm/models"
)

// TestMachineBytes: a machine takes what the warning about many classes counts.
func TestMachineBytes(t *testing.T) {
	if size := unsafe.Sizeof(models.Machine{}); size != machineBytes && unsafe.Sizeof(size) == 8 {
		t.Errorf("a machine takes %d bytes, the warning counts %d", size, machineBytes)
	}
}
