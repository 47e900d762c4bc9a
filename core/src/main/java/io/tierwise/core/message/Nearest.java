package io.tierwise.core.message;

import java.util.Collection;
import java.util.Optional;

/** The known word that someone who mistyped meant. */
public final class Nearest {
  private Nearest() {}

  /** The word with the fewest changed letters, when these are few enough to be a slip. */
  public static Optional<String> to(String given, Collection<String> known) {
    String best = null;
    int least = Math.max(2, given.length() / 3) + 1;
    for (String word : known) {
      int distance = distance(given, word);
      if (distance < least) {
        least = distance;
        best = word;
      }
    }
    return Optional.ofNullable(best);
  }

  /** ", did you mean X?; known: ..." in the form that errors use. */
  public static String hint(String given, Collection<String> known) {
    String all = known.isEmpty() ? "none is known" : "known: " + String.join(", ", known);
    return to(given, known).map(word -> "; did you mean \"" + word + "\"? ").orElse("; ") + all;
  }

  /** Letters to insert, delete, replace or swap (Damerau's restricted edit distance). */
  static int distance(String a, String b) {
    int[] beforeLast = new int[b.length() + 1];
    int[] last = new int[b.length() + 1];
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      last[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int changed = last[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        row[j] = Math.min(changed, 1 + Math.min(last[j], row[j - 1]));
        boolean swapped =
            i > 1
                && j > 1
                && a.charAt(i - 1) == b.charAt(j - 2)
                && a.charAt(i - 2) == b.charAt(j - 1);
        if (swapped) {
          row[j] = Math.min(row[j], beforeLast[j - 2] + 1);
        }
      }
      int[] spare = beforeLast;
      beforeLast = last;
      last = row;
      row = spare;
    }
    return last[b.length()];
  }
}
