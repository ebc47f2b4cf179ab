/* The C library's rand() as an oracle for type Rand.

   Arguments are seeds; "-" stands for a process that never calls srand(). For
   each seed: a line with 100000 draws. The first line of output is "glibc", or
   "other" where the C library is another one. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
#ifdef __GLIBC__
	puts("glibc");
#else
	puts("other");
#endif
	for (int k = 1; k < argc; k++) {
		if (strcmp(argv[k], "-") != 0)
			srand((unsigned)strtoul(argv[k], NULL, 10));
		for (int i = 0; i < 100000; i++)
			printf("%d ", rand());
		putchar('\n');
	}
	return 0;
}
