package io.tierwise.hadoop.inspect.audit;

import io.tierwise.core.use.PathBytes;
import java.nio.charset.StandardCharsets;

/**
 * A path as it stands in an audit line. Hadoop 3 writes it as a Java literal, so that a newline in
 * a name is the two characters {@code \n}, and all that is not ASCII is <code>\</code>{@code
 * uXXXX}; older releases write it as it is.
 */
final class EscapedPath {
  private EscapedPath() {}

  /** Sets a path to a part of a line; copies it only where something is escaped. */
  static void set(PathBytes path, byte[] line, int from, int to) {
    if (ByteScan.indexOf(line, from, to, (byte) '\\') < 0) {
      path.set(line, from, to);
    } else {
      path.set(plain(new String(line, from, to - from, StandardCharsets.UTF_8)));
    }
  }

  /** Text that is no escape stays as it is: an older release may have written it. */
  private static String plain(String escaped) {
    StringBuilder plain = new StringBuilder(escaped.length());
    int at = 0;
    while (at < escaped.length()) {
      char sign = escaped.charAt(at++);
      if (sign != '\\' || at == escaped.length()) {
        plain.append(sign);
        continue;
      }
      char escape = escaped.charAt(at);
      int code = escape == 'u' ? unicode(escaped, at + 1) : -1;
      if (code >= 0) {
        plain.append((char) code);
        at += 5;
      } else if ("ntrbf\"'\\/".indexOf(escape) >= 0) {
        plain.append(meant(escape));
        at++;
      } else {
        plain.append(sign);
      }
    }
    return plain.toString();
  }

  private static int unicode(String text, int from) {
    if (from + 4 > text.length()) {
      return -1;
    }
    int code = 0;
    for (int i = from; i < from + 4; i++) {
      int digit = Character.digit(text.charAt(i), 16);
      if (digit < 0) {
        return -1;
      }
      code = code * 16 + digit;
    }
    return code;
  }

  private static char meant(char escape) {
    return switch (escape) {
      case 'n' -> '\n';
      case 't' -> '\t';
      case 'r' -> '\r';
      case 'b' -> '\b';
      case 'f' -> '\f';
      default -> escape;
    };
  }
}
