package main

import "github.com/slimsvm/slimsvm/train/reducedset"

// heeds reports whether a method of reduction heeds one of its options, given the
// search that it would use.
func heeds(method, option, search string) bool {
	shares := method == string(reducedset.Shared) || method == jointMethod
	searches, own := true, false // it looks for vectors; in its own way
	switch reducedset.Method(method) {
	case reducedset.Random, reducedset.KMeans:
		searches = false
	case reducedset.Burges, reducedset.FixedPoints:
		own = true
	}
	switch option {
	case "cost": // others keep the coefficients that vectors were found with
		return shares || !searches || method == string(reducedset.Retrain)
	case "search":
		return searches && !own
	case "starts":
		return searches && (own || search != searchEvolution)
	case "growth":
		return shares
	case "next":
		return shares || method == string(reducedset.Retrain) || method == string(reducedset.Greedy)
	}
	return true
}

// heeds reports whether the reduction heeds one of the options of its method.
func (r *reduction) heeds(option string) bool {
	return heeds(r.c.String("method"), option, r.c.String("search"))
}
