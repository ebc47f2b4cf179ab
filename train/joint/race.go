package joint

// Problem: with three costs in place of two, if nobody has chosen C, the descents without each of
// the parts would take half as long again.
//
// Method: a race (Maron and Moore, "Hoeffding races", 1994). Descents of all choices are made
// without each of the first parts, which most often tells which costs are far from the best. A
// choice that is then worse than the best one by more than chance might has fallen behind: it makes
// no descents without the other parts, and its vectors are not moved. It still begins there, which
// takes little time, so that vectors that stay can have its cost, and those that move are compared
// with them as without a race.

const (
	raceParts      = 2 // after which choices can have fallen behind
	raceDeviations = 1
)

// firstParts returns the number of parts with which all choices are tried: all parts, unless nobody
// has chosen C.
func (s *search) firstParts(parts int) int {
	if s.ChooseCost && !s.oneCost {
		return min(raceParts, parts)
	}
	return parts
}

// fallenBehind reports for each choice whether its descents answer rows held out worse than those of
// the best choice do, by more than chance might, after so many of the parts have been tried. trials
// has those of each choice and part.
func fallenBehind(trials []trial, parts, tried int) []bool {
	behind := make([]bool, len(trials)/parts)
	looks := make([]judgement, len(behind)) // the best of each choice
	leader := 0
	for a := range looks {
		curve := poolTrials(trials[a*parts : a*parts+tried]).curve
		if len(curve) == 1 {
			return behind // vectors are not moved
		}
		now := smooth(curve[1:])
		looks[a] = now[best(now)]
		if a > 0 && looks[a].errors()+looks[a].doubt < looks[leader].errors()+looks[leader].doubt {
			leader = a
		}
	}
	for a := range behind {
		behind[a] = looks[leader].surpasses(looks[a], raceDeviations)
	}
	return behind
}
