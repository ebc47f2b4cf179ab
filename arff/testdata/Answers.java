import java.io.*;
import java.nio.charset.StandardCharsets;
import java.text.*;
import java.util.*;

/**
 * Answers questions about Java's number, date and UTF-8 readers, one a line:
 * fields separated by tabs, texts as the hexadecimal digits of their bytes.
 *
 *   number TEXT            bits of Double.valueOf, or "error"
 *   parse  PATTERN TEXT    milliseconds and characters used, or "error"
 *   format PATTERN MILLIS  the text
 *   decode TEXT            the text with U+FFFD for what is malformed
 */
public class Answers {
    public static void main(String[] args) throws Exception {
        Locale.setDefault(Locale.ENGLISH);
        TimeZone.setDefault(TimeZone.getTimeZone("UTC"));
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        for (String line; (line = in.readLine()) != null; )
            System.out.println(answer(line.split("\t", -1)));
    }

    static String answer(String[] q) {
        try {
            switch (q[0]) {
            case "number":
                return Long.toHexString(Double.doubleToLongBits(Double.valueOf(text(q[1]))));
            case "parse":
                ParsePosition at = new ParsePosition(0);
                Date d = pattern(q[1]).parse(text(q[2]), at);
                return d == null || at.getIndex() == 0 ? "error" : d.getTime() + " " + at.getIndex();
            case "format":
                return hex(pattern(q[1]).format(new Date(Long.parseLong(q[2]))));
            default:
                return hex(text(q[1]));
            }
        } catch (IllegalArgumentException e) {
            return "error";
        }
    }

    static SimpleDateFormat pattern(String hex) {
        SimpleDateFormat f = new SimpleDateFormat(text(hex));
        f.setLenient(false);
        f.set2DigitYearStart(new Date(-631152000000L)); // 1950-01-01
        return f;
    }

    static String text(String hex) {
        byte[] b = new byte[hex.length() / 2];
        for (int i = 0; i < b.length; i++)
            b[i] = (byte) Integer.parseInt(hex.substring(2 * i, 2 * i + 2), 16);
        return new String(b, StandardCharsets.UTF_8);
    }

    static String hex(String text) {
        StringBuilder s = new StringBuilder();
        for (byte b : text.getBytes(StandardCharsets.UTF_8))
            s.append(String.format("%02x", b));
        return s.toString();
    }
}
