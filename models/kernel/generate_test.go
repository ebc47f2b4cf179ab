package kernel

import (
	"errors"
	"os"
	"os/exec"
	"testing"

	"github.com/slimsvm/slimsvm/internal/testenv"
)

// TestGenerated: exp_table.go is the output of its generator.
func TestGenerated(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		testenv.SkipMissing(t, "needs the go command", err)
	}
	if err := testenv.TrackSources("./models/kernel/_generate"); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "run", "./_generate")
	cmd.Env = append(os.Environ(), "GOOS=", "GOARCH=") // for this machine, also if the test is emulated
	got, err := cmd.Output()
	if err != nil {
		if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
			t.Fatalf("%v\n%s", err, exit.Stderr)
		}
		t.Fatal(err)
	}
	want, err := os.ReadFile("exp_table.go")
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Error("exp_table.go is not what _generate prints: go run ./models/kernel/_generate > models/kernel/exp_table.go")
	}
}
