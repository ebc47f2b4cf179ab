package team

import "context"

// DoLimited is Do with at most most tasks at once, for tasks that take much memory.
func DoLimited(ctx context.Context, n, most int, f func(ctx context.Context, i int)) {
	most = max(1, most)
	for from := 0; from < n; from += most {
		Do(ctx, min(most, n-from), func(ctx context.Context, i int) { f(ctx, from+i) })
	}
}
