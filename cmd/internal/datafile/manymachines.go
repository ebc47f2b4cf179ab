package datafile

import "fmt"

// largeModel is the size of a model, in gigabytes, from which it is told beforehand. machineBytes is
// what a models.Machine takes beside its coefficients.
const largeModel, machineBytes = 0.5, 80

// ManyMachines says, behind what is said of many classes, how many machines the model has, and what
// they take with so many coefficients each, if that is much, else "".
func ManyMachines(machines int, coefs float64) string {
	size := float64(machines) * (machineBytes + float64(8*coefs)) / 1e9
	if size < largeModel {
		return ""
	}
	return fmt.Sprintf(", whose %d machines take up to %.1f GB of memory", machines, size)
}
