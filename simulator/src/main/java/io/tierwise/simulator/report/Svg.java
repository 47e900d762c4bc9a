package io.tierwise.simulator.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.Locale;

/** Writes an SVG drawing element by element. Texts are made safe; figures have a full stop. */
public final class Svg {
  private static final DecimalFormatSymbols ENGLISH = DecimalFormatSymbols.getInstance(Locale.ROOT);
  private static final MathContext TICK_DIGITS = new MathContext(3);

  private final StringBuilder text = new StringBuilder();

  /** A white drawing with a title, which readers of screens read, too, and a line below it. */
  public Svg(int width, int height, String title, String subtitle) {
    add(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"%d\" height=\"%d\""
            + " viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\">",
        width, height, width, height);
    add("<title>%s</title>", safe(title));
    add("<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>");
    add("<text x=\"16\" y=\"26\" font-size=\"17\" font-weight=\"bold\">%s</text>", safe(title));
    add("<text x=\"16\" y=\"46\" fill=\"#555\">%s</text>", safe(subtitle));
  }

  /** Where a text stands relative to its point. */
  public enum Anchor {
    START,
    MIDDLE,
    END
  }

  public void text(double x, double y, Anchor anchor, String colour, String content) {
    add(
        "<text x=\"%s\" y=\"%s\" text-anchor=\"%s\" fill=\"%s\">%s</text>",
        number(x), number(y), anchor.name().toLowerCase(Locale.ROOT), colour, safe(content));
  }

  public void rectangle(double x, double y, double width, double height, String colour) {
    add(
        "<rect x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" fill=\"%s\"/>",
        number(x), number(y), number(width), number(height), colour);
  }

  public void line(double x1, double y1, double x2, double y2, String colour) {
    add(
        "<line x1=\"%s\" y1=\"%s\" x2=\"%s\" y2=\"%s\" stroke=\"%s\"/>",
        number(x1), number(y1), number(x2), number(y2), colour);
  }

  public void circle(double x, double y, double radius, String fill, String stroke) {
    add(
        "<circle cx=\"%s\" cy=\"%s\" r=\"%s\" fill=\"%s\" stroke=\"%s\"/>",
        number(x), number(y), number(radius), fill, stroke);
  }

  /**
   * A line through points.
   *
   * @param points x and y in turn
   */
  public void polyline(double[] points, String colour) {
    StringBuilder list = new StringBuilder();
    for (int i = 0; i < points.length; i += 2) {
      list.append(i == 0 ? "" : " ").append(number(points[i])).append(',');
      list.append(number(points[i + 1]));
    }
    add("<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\"/>", list, colour);
  }

  /** The whole drawing. */
  public String end() {
    return text + "</svg>\n";
  }

  /** The distance of grid lines, such that there are four to twenty of them: 1, 2.5 or 5 · 10^k. */
  public static double stepFor(double most) {
    double step = Math.pow(10, Math.floor(Math.log10(most)));
    while (most / step < 4) {
      step /= 2;
    }
    return step;
  }

  /** A figure at a grid line, with as many digits as any line of {@link #stepFor} needs. */
  public static String tick(double value) {
    return new BigDecimal(value).round(TICK_DIGITS).stripTrailingZeros().toPlainString();
  }

  /** A coordinate, to a hundredth of a pixel. */
  private static String number(double value) {
    return new DecimalFormat("0.##", ENGLISH).format(value);
  }

  private static String safe(String content) {
    return content
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replaceAll("\\p{Cntrl}", " ");
  }

  private void add(String format, Object... values) {
    text.append(String.format(Locale.ROOT, format, values)).append('\n');
  }
}
