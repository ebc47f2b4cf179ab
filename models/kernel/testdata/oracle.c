/* Prints the C library's function of every float64 on standard input.

     oracle                what the library and the processor are
     oracle exp|log|tanh   binary in, binary out

   The test builds it with the system's C compiler; it is no part of a build. */

#include <math.h>
#include <stdio.h>
#include <string.h>
#ifdef __GLIBC__
#include <gnu/libc-version.h>
#endif

static int fma_supported(void)
{
#ifdef __x86_64__
	__builtin_cpu_init();
	return __builtin_cpu_supports("fma") && __builtin_cpu_supports("avx2");
#else
	return 0;
#endif
}

int main(int argc, char **argv)
{
	static double x[1 << 14];
	double (*volatile f)(double) = exp;
	size_t n, i;

	if (argc < 2) {
#ifdef __GLIBC__
		printf("glibc %s fma %d\n", gnu_get_libc_version(), fma_supported());
#else
		printf("other 0.0 fma %d\n", fma_supported());
#endif
		return 0;
	}
	if (strcmp(argv[1], "tanh") == 0)
		f = tanh;
	if (strcmp(argv[1], "log") == 0)
		f = log;
	while ((n = fread(x, sizeof *x, sizeof x / sizeof *x, stdin)) > 0) {
		for (i = 0; i < n; i++)
			x[i] = f(x[i]);
		if (fwrite(x, sizeof *x, n, stdout) != n)
			return 1;
	}
	return 0;
}
