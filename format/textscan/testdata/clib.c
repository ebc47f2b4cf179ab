/* The C library as an oracle for package textscan.

   Each line of standard input is a question, each line of standard output its
   answer. Text is written in hexadecimal, so that it may hold any byte.

	d TEXT        strtod: bits of the value, bytes used, 1 for ERANGE
	r NUMBER      the same of a number in plain text
	l TEXT        strtol base 10: value, bytes used, 1 for ERANGE
	g PREC BITS   printf %.*g
	f PREC BITS   printf %.*f
	s BYTE        isspace: 0 or 1

   The first line of output is the version of the GNU C library, or "other"
   where the library or the processor is another one. */

#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __GLIBC__
#include <gnu/libc-version.h>
#endif

static int nibble(char c)
{
	return c <= '9' ? c - '0' : c - 'a' + 10;
}

int main(void)
{
	char *line = NULL;
	size_t room = 0;
	ssize_t len;

#if defined __GLIBC__ && defined __x86_64__
	puts(gnu_get_libc_version());
#else
	puts("other");
#endif
	while ((len = getline(&line, &room, stdin)) > 2) {
		char ask = line[0], *end;
		if (ask == 'r') {
			double v;
			uint64_t bits;
			errno = 0;
			v = strtod(line + 2, &end);
			memcpy(&bits, &v, sizeof bits);
			printf("%" PRIx64 " %td %d\n", bits, end - (line + 2), errno == ERANGE);
		} else if (ask == 'd' || ask == 'l') {
			char *text = line, *from = line + 2;
			size_t n = (line + len - 1 - from) / 2;
			for (size_t i = 0; i < n; i++)
				text[i] = nibble(from[2 * i]) << 4 | nibble(from[2 * i + 1]);
			text[n] = 0;
			errno = 0;
			if (ask == 'd') {
				double v = strtod(text, &end);
				uint64_t bits;
				memcpy(&bits, &v, sizeof bits);
				printf("%016" PRIx64, bits);
			} else {
				printf("%ld", strtol(text, &end, 10));
			}
			printf(" %td %d\n", end - text, errno == ERANGE);
		} else if (ask == 's') {
			printf("%d\n", isspace(strtol(line + 2, NULL, 16)) != 0);
		} else {
			int prec = strtol(line + 2, &end, 10);
			uint64_t bits = strtoull(end, NULL, 16);
			double v;
			memcpy(&v, &bits, sizeof v);
			printf(ask == 'g' ? "%.*g\n" : "%.*f\n", prec, v);
		}
	}
	return 0;
}
