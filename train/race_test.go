//go:build race

package train_test

func init() { raceEnabled = true }
