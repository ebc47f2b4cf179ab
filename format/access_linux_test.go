package format_test

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// An entry says what some may do with a file: the tag of who they are, the permissions, and whose
// number it is.
type entry struct {
	Tag, Perm uint16
	ID        uint32
}

// accessList returns a list as the system keeps it: of a file that user 65534 may write, beside its
// owner, and its group read.
func accessList(t *testing.T) []byte {
	t.Helper()
	const none = 1<<32 - 1
	list := binary.LittleEndian.AppendUint32(nil, 2)
	for _, e := range []entry{{1, 6, none}, {2, 6, 65534}, {4, 4, none}, {16, 6, none}, {32, 0, none}} {
		list = binary.LittleEndian.AppendUint16(list, e.Tag)
		list = binary.LittleEndian.AppendUint16(list, e.Perm)
		list = binary.LittleEndian.AppendUint32(list, e.ID)
	}
	return list
}

// setList gives a file or a folder a list.
func setList(t *testing.T, path, attribute string) {
	t.Helper()
	if err := syscall.Setxattr(path, attribute, accessList(t), 0); err != nil {
		t.Skipf("files have no lists of who may access them: %v", err)
	}
}

// listOf returns the list of a file, nil if it has none.
func listOf(path string) []byte {
	list := make([]byte, 256)
	n, err := syscall.Getxattr(path, "system.posix_acl_access", list)
	if err != nil {
		return nil
	}
	return list[:n]
}

// TestCreateKeepsAccess: who may access a file is who could before, by a list too. Its mode alone
// would say that the group may write.
func TestCreateKeepsAccess(t *testing.T) {
	path := filepath.Join(t.TempDir(), "shared")
	write(t, path, "old")
	setList(t, path, "system.posix_acl_access")
	closeOutput(t, create(t, path, "new"))
	wantText(t, path, "new")
	if got := listOf(path); !bytes.Equal(got, accessList(t)) {
		t.Errorf("the list is %x, expected %x", got, accessList(t))
	}
}

// TestCreateTakesNoAccess: a file without a list gets none from its folder's default.
func TestCreateTakesNoAccess(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "own")
	write(t, path, "old")
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	setList(t, dir, "system.posix_acl_default")
	closeOutput(t, create(t, path, "new"))
	wantText(t, path, "new")
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if list := listOf(path); list != nil || info.Mode() != 0o640 {
		t.Errorf("mode %v, list %x", info.Mode(), list)
	}
	other := filepath.Join(dir, "other") // a new one does
	closeOutput(t, create(t, other, "new"))
	if listOf(other) == nil {
		t.Error("a new file has not its folder's default")
	}
}
