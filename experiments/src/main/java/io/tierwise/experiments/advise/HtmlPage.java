package io.tierwise.experiments.advise;

import io.tierwise.core.message.FileReason;
import io.tierwise.core.message.OperatorException;
import io.tierwise.core.message.Section;
import io.tierwise.core.message.Table;
import io.tierwise.core.message.Words;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A page in one file, without scripts and without anything from elsewhere: a browser is told to
 * load none. Texts are shown as they are, never read as markup, wherever they come from.
 */
public final class HtmlPage {
  private static final String HEAD =
      """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
      <meta name="viewport" content="width=device-width">
      <title>TITLE</title>
      <style>
      body { font: 15px/1.5 sans-serif; margin: 2em auto; max-width: 62em; padding: 0 1em; color: #222; }
      table { border-collapse: collapse; margin: .5em 0; }
      th, td { padding: .25em .8em .25em 0; border-bottom: 1px solid #ddd; text-align: left; overflow-wrap: anywhere; }
      th.number, td.number { text-align: right; white-space: nowrap; }
      td { unicode-bidi: isolate; }
      svg { max-width: 100%; height: auto; }
      p.note { color: #555; }
      </style>
      </head>
      <body>
      <h1>TITLE</h1>
      """;

  private final StringBuilder html = new StringBuilder();

  public HtmlPage(String title) {
    html.append(HEAD.replace("TITLE", safe(title)));
  }

  /** Text as it stands in a page. */
  static String safe(String text) {
    return Words.plain(text)
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }

  /** Begins a part. */
  public HtmlPage heading(String text) {
    html.append("<h2>").append(safe(text)).append("</h2>\n");
    return this;
  }

  /** A sentence; nothing where there is none. */
  public HtmlPage text(String text) {
    return paragraph("<p>", text);
  }

  /** A sentence of less weight. */
  public HtmlPage note(String text) {
    return paragraph("<p class=\"note\">", text);
  }

  private HtmlPage paragraph(String begin, String text) {
    if (!text.isEmpty()) {
      html.append(begin).append(safe(text)).append("</p>\n");
    }
    return this;
  }

  public HtmlPage table(Table table) {
    html.append("<table>\n");
    row(table, table.titles(), "th");
    table.rows().forEach(row -> row(table, row, "td"));
    html.append("</table>\n");
    return this;
  }

  private void row(Table table, List<String> cells, String tag) {
    html.append("<tr>");
    for (int i = 0; i < cells.size(); i++) {
      String kind = table.isNumber(i) ? " class=\"number\"" : "";
      html.append('<').append(tag).append(kind).append('>');
      html.append(safe(cells.get(i))).append("</").append(tag).append('>');
    }
    html.append("</tr>\n");
  }

  /** A section, with its title above it. */
  public HtmlPage section(Section section) {
    return heading(section.title()).content(section);
  }

  /** The same without its title. */
  public HtmlPage content(Section section) {
    section.tables().forEach(this::table);
    section.below().forEach(this::note);
    return this;
  }

  /** A drawing, whose own texts were made safe. */
  public HtmlPage drawing(String svg) {
    html.append(svg);
    return this;
  }

  /** The whole page. */
  public String end() {
    return html + "</body>\n</html>\n";
  }

  /**
   * Refuses a page that cannot be written, before a long log is read.
   *
   * @param html the page's file; nothing is made
   * @throws OperatorException naming it
   */
  public static void requireWritable(Path html) {
    Path folder = html.toAbsolutePath().getParent();
    boolean writable =
        Files.exists(html)
            ? !Files.isDirectory(html) && Files.isWritable(html)
            : folder != null && Files.isDirectory(folder) && Files.isWritable(folder);
    if (!writable) {
      throw OperatorException.cluster(
          "--html "
              + html
              + " cannot be written: name a file in a folder that is there, and yours to write to",
          null);
    }
  }

  /**
   * Writes the whole page.
   *
   * @throws OperatorException naming the file and what stands in the way
   */
  public void write(Path html) {
    try {
      Files.writeString(html, end());
    } catch (IOException e) {
      throw OperatorException.cluster(
          "--html " + html + " cannot be written: " + FileReason.of(e), e);
    }
  }
}
