package scale

// Restore returns how to scale data with the ranges of a file, given the data's
// own ranges, and the indices of features that vary in the data but are not in
// the file: these are dropped. What the file does not tell, labels or features,
// is scaled by own. So is index 0 as long as the file does not have it, since
// svm-scale does not store it.
func Restore(file, own *Ranges) (r *Ranges, unseen []int32) {
	r = &Ranges{Y: file.Y, X: file.X}
	if r.Y == nil {
		r.Y = own.Y
	}
	if r.X == nil {
		r.X = own.X
		return r, nil
	}
	if own.X == nil {
		return r, nil
	}
	known := file.X.Ranges
	for _, f := range own.X.Ranges {
		for len(known) > 0 && known[0].Index < f.Index {
			known = known[1:]
		}
		switch {
		case len(known) > 0 && known[0].Index == f.Index:
		case f.Index == 0:
			r.X = &Features{file.X.Limits, append([]Feature{f}, file.X.Ranges...)}
		default:
			unseen = append(unseen, f.Index)
		}
	}
	return r, unseen
}
