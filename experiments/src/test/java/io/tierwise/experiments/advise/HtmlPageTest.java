package io.tierwise.experiments.advise;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.message.Table;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;

class HtmlPageTest {
  private static final List<String> HOSTILE =
      List.of(
          "<script>alert(1)</script>",
          "</td></table><img src=x onerror=alert(1)>",
          "\" onmouseover=\"alert(1)",
          "' style='background:url(//evil)",
          "&lt;b&gt;",
          "a\nb\tc\u0000d\u001b[31m",
          "]]><!--",
          "\ud800 and \udc00\ud800",
          "\ud83d\ude80 is whole");

  @TempDir private Path folder;

  /** As a user gets it. */
  private String page(String text) throws IOException {
    Table table = new Table().text("path " + text).number("count").row(text, 1);
    Path file = folder.resolve("page.html");
    new HtmlPage(text).heading(text).text(text).note(text).table(table).write(file);
    return Files.readString(file);
  }

  /** As XML the page has the elements that it was made of, and no other. */
  @Test
  void showsHostileTextsAsTheyAre() throws Exception {
    for (String text : HOSTILE) {
      String html = page(text);
      String body = html.substring(html.indexOf("<body>"), html.indexOf("</body>") + 7);
      Document read =
          DocumentBuilderFactory.newInstance()
              .newDocumentBuilder()
              .parse(new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8)));
      String shown = text.replaceAll("\\p{Cntrl}|\\p{Cs}", "?");

      assertThat(read.getElementsByTagName("*").getLength()).as(text).isEqualTo(12);
      assertThat(read.getElementsByTagName("td").item(0).getTextContent()).isEqualTo(shown);
      assertThat(read.getElementsByTagName("td").item(0).hasAttributes()).isFalse();
      assertThat(read.getElementsByTagName("h1").item(0).getTextContent()).isEqualTo(shown);
    }
  }

  @Test
  void loadsNothing() throws IOException {
    String html = page("/a");

    assertThat(html).contains("default-src 'none'").doesNotContain("<script", "src=", "href=");
  }
}
