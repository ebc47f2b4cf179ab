package scale

// Restore returns how to scale data with the ranges of a file. own are the ranges measured on the
// data. What the file does not have, labels or features, is scaled by own, and so is index 0 if the
// file lacks it, since svm-scale does not store it. unseen are the indices of features that vary in
// the data but are not in the file: these are dropped.
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
