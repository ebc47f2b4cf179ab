package javasource

import "github.com/slimsvm/slimsvm/models/internal/plan"

// Problem: make features of columns as format/encode does, and scale features as format/scale does.

// encoder writes the methods that make features from columns.
func (s *source) encoder() {
	_, columns := s.Scales()
	s.put(`
    /**
     * Makes features of the columns of a row, which are
     * <ul>
`)
	s.aboutColumns()
	s.put(`     * </ul>
     * Numbers are of any type of number, or texts like 1.5e3. {@code null}, NaN and the text ?, if it is no label of the column,
     * are missing values.
`)
	if s.Nominal() {
		s.put(`     * A label is a text, or the number of its place among the labels, from 0. One that
     * training did not know counts as slimsvm predict has it: as none of more than two, as the first of two.
`)
	}
	s.put(`     *
     * @param columns one object for each column, in this order
     * @return the features, from 1 on
     */
    public static double[] encode(Object... columns) {
        if (columns.length != COLUMNS)
            throw new IllegalArgumentException("expected %s, found " + columns.length);
        double[] numbers = new double[COLUMNS];
        for (int c = 0; c < COLUMNS; c++)
            numbers[c] = number(c, columns[c]);
        return encode(numbers);
    }

    /**
     * Makes features of columns that are numbers: labels are their places, from 0, missing values are NaN.
     *
     * @param columns one number for each column
     * @return the features, from 1 on
     */
    public static double[] encode(double[] columns) {
        if (columns.length != COLUMNS)
            throw new IllegalArgumentException("expected %[1]s, found " + columns.length);
        double[] x = new double[FEATURES];
`, plan.Count(columns, "column"))
	if columns > 0 {
		s.put(`        for (int c = 0; c < COLUMNS; c++) {
            int first = COLUMN[c], labels = LABELS[c];
            double v = columns[c] == columns[c] ? columns[c] : FILL[c];
            if (labels == 0 || labels == 1 || labels == 2 && v < 0)
                v = 0;
            if (labels <= 2)
                x[first] = scaled(v, first);
            else
                for (int f = 0; f < labels; f++)
                    x[first + f] = scaled(v == f ? 1 : 0, first + f);
        }
`)
	}
	s.put("        return x;\n    }\n\n")
	if columns > 0 {
		s.put(`    private static double scaled(double v, int f) {
        return SPAN[f] == 0 ? 0 : (v - SHIFT[f]) / SPAN[f];
    }

`)
	}
	s.put(`    private static double number(int column, Object v) {
        if (v == null)
            return Double.NaN;
        if (v instanceof Number)
            return ((Number) v).doubleValue();
        if (v instanceof String) {
            String text = (String) v;
`)
	if s.Nominal() {
		s.put(`            Integer place = PLACES.get(column + " " + text);
            if (place != null)
                return place;
`)
	}
	s.put(`            if (text.equals("?"))
                return Double.NaN;
`)
	if columns > 0 {
		s.put(`            if (LABELS[column] >= 0)
                return -1;
`)
	}
	s.put(`            boolean plain = true;
            for (int i = 0; i < text.length(); i++)
                plain = plain && "+-.0123456789Ee".indexOf(text.charAt(i)) >= 0;
            if (plain) {
                try {
                    return Double.parseDouble(text);
                } catch (IllegalArgumentException e) {
                    // said below
                }
            }
            throw new IllegalArgumentException("columns[" + column + "]: expected a number, found \"" + text + "\"");
        }
        throw new IllegalArgumentException("columns[" + column + "]: expected a number or a text, found a " + v.getClass().getName());
    }
`)
	if s.Nominal() {
		s.put(`
    private static java.util.Map<String, Integer> places() {
        java.util.Map<String, Integer> all = new java.util.HashMap<>();
        int n = 0;
        for (int c = 0; c < COLUMNS; c++)
            for (int i = 0; i < LABELS[c]; i++)
                all.putIfAbsent(c + " " + TEXTS[n++], i);
        return all;
    }
`)
	}
}

// scaler writes the methods that scale rows.
func (s *source) scaler() {
	l := s.Ranges.X.Limits
	s.put(`
    /**
     * Scales a row as svm-scale -r does before it rounds to six digits. What is out of range there is not finite here.
`)
	if s.Ranges.Y != nil && s.Model.Task.Regresses() {
		s.put("     * Targets stay as they were scaled, from %v..%v to %v..%v.\n", s.Ranges.Y.Min, s.Ranges.Y.Max, s.Ranges.Y.Lower, s.Ranges.Y.Upper)
	}
	s.put(`     *
     * @param raw the features from 1 on; further ones are 0
     * @return the scaled features, from 1 on
     */
    public static double[] scale(double[] raw) {
        double[] x = new double[%d];
`, s.Features)
	if s.Scaled == 0 {
		s.put("        return x;\n    }\n")
	} else {
		s.put(`        for (int i = 0; i < SCALED.length; i++) {
            int j = SCALED[i];
            x[j] = limited(j < raw.length ? raw[j] : 0, ENDS[2 * i], ENDS[2 * i + 1]);
        }
        return x;
    }
`)
	}
	s.put(`
    /**
     * Scales a row as svm-scale -r does before it rounds to six digits. What is out of range there is not finite here.
     *
     * @param index the numbers of features, which increase, from 1 on
     * @param value their values; all other features are 0
     * @return the scaled features, from 1 on
     */
    public static double[] scale(int[] index, double[] value) {
        check(index, value, 1);
        double[] raw = new double[%d];
        for (int i = 0; i < index.length && index[i] <= raw.length; i++)
            raw[index[i] - 1] = value[i];
        return scale(raw);
    }
`, s.Features)
	if s.Scaled > 0 {
		s.put(`
    private static double limited(double v, double min, double max) {
        double lower = %s, upper = %s;
        if (v == min)
            return lower;
        if (v == max)
            return upper;
        double product = (upper - lower) * (v - min), span = max - min, y = lower + product / span;
        if (finite(product) && finite(span) && finite(y))
            return y;
        double t = (v / 4 - min / 4) / (max / 4 - min / 4);
        y = lower + (upper - lower) * t;
        return finite(y) ? y : lower * (1 - t) + upper * t;
    }
`, real(l.Lower), real(l.Upper))
	}
}
