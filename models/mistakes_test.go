package models_test

import (
	"testing"

	"github.com/slimsvm/slimsvm/internal/testenv"
	"github.com/slimsvm/slimsvm/models"
)

// TestMember: a member that does not exist panics with its number.
func TestMember(t *testing.T) {
	three := &models.Model{Machines: make([]models.Machine, 5), Members: []int{0, 3, 4}}
	five := &models.Model{Machines: make([]models.Machine, 5)}
	for want, f := range map[string]func(){
		"models: member -1 of 3": func() { three.Member(-1) },
		"models: member 3 of 3":  func() { three.Member(3) },
		"models: member -1 of 5": func() { five.Member(-1) },
		"models: member 5 of 5":  func() { five.Member(5) },
		"":                       func() { three.Member(2); five.Member(4) },
	} {
		if got := testenv.PanicOf(f); got != want {
			t.Errorf("panics with %q, want %q", got, want)
		}
	}
}
