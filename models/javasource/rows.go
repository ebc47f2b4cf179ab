package javasource

// rows writes the methods that check rows and convert between their two forms.
func (s *source) rows() {
	s.put(`
    private static boolean finite(double v) {
        return v - v == 0;
    }

    private static void check(double[] x) {
`)
	if s.Precomputed() {
		_, last := s.Rows()
		if s.Terms == 0 {
			last = 0
		}
		s.put(`        if (x.length < %d)
            throw new IllegalArgumentException(x.length + " values of the kernel, expected %[1]d or more");
`, last)
	}
	s.put(`        for (int i = 0; i < x.length; i++)
            if (!finite(x[i]))
                throw new IllegalArgumentException("x[" + i + "] is " + x[i]);
    }
`)
	if s.Precomputed() {
		return
	}
	s.put(`
    private static void check(int[] index, double[] value, int first) {
        if (index.length != value.length)
            throw new IllegalArgumentException(index.length + " indices and " + value.length + " values");
        for (int i = 0; i < index.length; i++) {
            if (index[i] < (i == 0 ? first : index[i - 1] + 1L))
                throw new IllegalArgumentException("index[" + i + "] is " + index[i] + ": indices increase from " + first + " on");
            if (!finite(value[i]))
                throw new IllegalArgumentException("value[" + i + "] is " + value[i]);
        }
    }
`)
	if s.Lists() {
		s.put(`
    private static int[] features(double[] x) {
        int n = 0;
        for (double v : x)
            if (v != 0)
                n++;
        int[] j = new int[n];
        n = 0;
        for (int i = 0; i < x.length; i++)
            if (x[i] != 0)
                j[n++] = i + %d;
        return j;
    }

    private static double[] only(double[] x, int[] j) {
        double[] values = new double[j.length];
        for (int i = 0; i < j.length; i++)
            values[i] = x[j[i] - %[1]d];
        return values;
    }
`, s.First)
		return
	}
	s.put(`
    /** The row as an array: features that no vector has, of which the order is all that counts, follow the others. */
    private static double[] row(int[] index, double[] value) {
        int width = %d, n = 0;
        while (n < index.length && index[n] - %[2]d < width)
            n++;
        double[] x = new double[n == index.length && n > 0 ? index[n - 1] - %[2]d + 1 : n == 0 && index.length == 0 ? 0 : width + index.length - n];
        for (int i = 0; i < index.length; i++)
            x[i < n ? index[i] - %[2]d : width + i - n] = value[i];
        return x;
    }
`, s.Width, s.First)
}

// decoders writes the methods that decode the tables.
func (s *source) decoders() {
	s.put(`
    private static java.nio.ByteBuffer bytes(String... parts) {
        int n = 0;
        byte[][] all = new byte[parts.length][];
        for (int i = 0; i < parts.length; i++) {
            all[i] = java.util.Base64.getDecoder().decode(parts[i]);
            n += all[i].length;
        }
        java.nio.ByteBuffer b = java.nio.ByteBuffer.allocate(n);
        for (byte[] part : all)
            b.put(part);
        ((java.nio.Buffer) b).flip();
        return b;
    }

    private static double[] doubles(int n, String... parts) {
        double[] list = new double[n];
        bytes(parts).asDoubleBuffer().get(list);
        return list;
    }

    private static int[] ints(int n, String... parts) {
        int[] list = new int[n];
        bytes(parts).asIntBuffer().get(list);
        return list;
    }
`)
	if s.Labels() || s.Inputs != nil && s.Nominal() {
		s.put(`
    private static String[] texts(int n, String... parts) {
        String[] list = new String[n];
        java.nio.ByteBuffer b = bytes(parts);
        for (int i = 0; i < n; i++) {
            byte[] text = new byte[b.getInt()];
            b.get(text);
            list[i] = new String(text, java.nio.charset.StandardCharsets.UTF_8);
        }
        return list;
    }
`)
	}
}
