package io.tierwise.hadoop.inspect.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.use.AccessKind;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.StringLength;
import org.apache.commons.text.StringEscapeUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AuditLineTest {
  private static final String HEAD = "2026-03-24 16:59:01,123 INFO FSNamesystem.audit: ";
  private static final String WHO = "allowed=true\tugi=ann (auth:SIMPLE)\tip=/10.0.0.7\t";
  private static final String END = "\tperm=null\tproto=rpc";

  private final AuditLine line = new AuditLine(ZoneOffset.UTC);

  private AuditLine.Verdict parse(String text) {
    byte[] bytes = ("before\n" + text + "\nbehind").getBytes(StandardCharsets.UTF_8);
    return line.parse(bytes, 7, bytes.length - 7);
  }

  private static String open(String src) {
    return HEAD + WHO + "cmd=open\tsrc=" + src + "\tdst=null" + END;
  }

  private static String rename(String src, String dst) {
    return HEAD + WHO + "cmd=rename (options=[OVERWRITE])\tsrc=" + src + "\tdst=" + dst + END;
  }

  @Test
  void readsTimeKindPathAndReader() {
    assertThat(parse(open("/a/b"))).isEqualTo(AuditLine.Verdict.ACCESS);
    assertThat(line.kind()).isEqualTo(AccessKind.OPEN);
    assertThat(line.path()).hasToString("/a/b");
    assertThat(line.destination()).hasToString("");
    assertThat(line.timeMillis())
        .isEqualTo(Instant.parse("2026-03-24T16:59:01.123Z").toEpochMilli());
    long reader = line.reader();
    parse(open("/other"));
    assertThat(line.reader()).isEqualTo(reader);
    parse(open("/a/b").replace("10.0.0.7", "10.0.0.8"));
    assertThat(line.reader()).isNotEqualTo(reader);
  }

  @Test
  void aLeapSecondIsATimeAndTheNextIsNone() {
    assertThat(parse(open("/a").replace("16:59:01", "23:59:60")))
        .isEqualTo(AuditLine.Verdict.ACCESS);
    assertThat(line.timeMillis())
        .isEqualTo(Instant.parse("2026-03-25T00:00:00.123Z").toEpochMilli());
    assertThat(parse(open("/a").replace("16:59:01", "23:59:61")))
        .isEqualTo(AuditLine.Verdict.FOREIGN);
  }

  /** As different releases, a Router and other log4j patterns write the same access. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        HEAD + WHO + "cmd=open\tsrc=/a/b\tdst=null\tperm=null",
        HEAD
            + WHO
            + "cmd=open\tsrc=/a/b\tdst=null\tperm=null\tproto=webhdfs\tcallerContext=x:\tsrc=/c",
        HEAD + WHO + "cmd=open\tsrc=/a/b\tdst=null\tperm=null\ttrackingId=null\tproto=rpc\r",
        HEAD + WHO + "cmd=open\tsrc=/a/b\tdst=null\tinvokeType=null\tperm=null\tproto=rpc",
        "2026-03-24 16:59:01.123 [IPC Server handler 3 on 8020] INFO  org.apache.hadoop.hdfs.server"
            + ".namenode.FSNamesystem.audit (FSNamesystem.java:logAuditMessage(8852)) - "
            + WHO
            + "cmd=open\tsrc=/a/b\tdst=null\tperm=null\tproto=rpc",
        "2026-03-24T16:59:01,123 INFO audit: " + WHO + "cmd=open\tsrc=/a/b\tdst=null\tperm=null"
      })
  void readsWhatOtherReleasesWrite(String text) {
    assertThat(parse(text)).isEqualTo(AuditLine.Verdict.ACCESS);
    assertThat(line.path()).hasToString("/a/b");
    assertThat(line.kind()).isEqualTo(AccessKind.OPEN);
  }

  @ParameterizedTest
  @CsvSource({
    "open,OPEN",
    "create,CREATE",
    "append,APPEND",
    "delete,DELETE",
    "rename,RENAME",
    "rename (options=[TO_TRASH]),RENAME",
    "opens,OTHER",
    "createSnapshot,OTHER",
    "deleteSnapshot,OTHER",
    "renameSnapshot,OTHER",
    "checkAccess,CHECK",
    "concat,OTHER",
    "getfileinfo,OTHER",
    "o,OTHER",
    "'',OTHER"
  })
  void knowsTheKindByTheWholeName(String command, AccessKind kind) {
    String text = HEAD + WHO + "cmd=" + command + "\tsrc=/a\tdst=/b" + END;
    assertThat(parse(text)).isEqualTo(AuditLine.Verdict.ACCESS);
    assertThat(line.kind()).isEqualTo(kind);
  }

  @Test
  void readsBothPathsOfARename() {
    assertThat(parse(rename("/a/b c", "/d"))).isEqualTo(AuditLine.Verdict.ACCESS);
    assertThat(line.path()).hasToString("/a/b c");
    assertThat(line.destination()).hasToString("/d");
  }

  /** The NameNode's own escaping, by the library that it uses. */
  @Property(tries = 500)
  void everyNameThatHadoopEscapesComesBack(@ForAll @StringLength(min = 1, max = 40) String name) {
    // A half of a pair stands for no character, in a path as in a log.
    String path = "/" + new String(name.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    String escaped = StringEscapeUtils.escapeJava(path);

    assertThat(parse(open(escaped))).isEqualTo(AuditLine.Verdict.ACCESS);
    assertThat(line.path()).hasToString(path);
    assertThat(parse(rename(escaped, escaped + "2"))).isEqualTo(AuditLine.Verdict.ACCESS);
    assertThat(line.path()).hasToString(path);
    assertThat(line.destination()).hasToString(path + "2");
  }

  /** Older releases do not escape; what is no escape stays as it is. */
  @Test
  void readsTabsAndBackslashesOfOlderReleases() {
    assertThat(parse(open("/a\tb"))).isEqualTo(AuditLine.Verdict.ACCESS);
    assertThat(line.path()).hasToString("/a\tb");
    assertThat(parse(open("/a\\xb\\u12"))).isEqualTo(AuditLine.Verdict.ACCESS);
    assertThat(line.path()).hasToString("/a\\xb\\u12");
    assertThat(parse(rename("/a\tb", "/c\td"))).isEqualTo(AuditLine.Verdict.ACCESS);
    assertThat(line.destination()).hasToString("/c\td");
  }

  @Test
  void saysSoWhereTwoPathsCannotBeToldApart() {
    assertThat(parse(rename("/a", "/b\tdst=/c"))).isEqualTo(AuditLine.Verdict.FOREIGN);
  }

  @Test
  void anAttemptThatWasRefusedIsNoAccess() {
    assertThat(parse(open("/a").replace("=true", "=false"))).isEqualTo(AuditLine.Verdict.REFUSED);
    assertThat(line.kind()).isEqualTo(AccessKind.OPEN_REFUSED);
    assertThat(parse(rename("/a", "/b").replace("=true", "=false")))
        .isEqualTo(AuditLine.Verdict.REFUSED);
    assertThat(line.kind()).isEqualTo(AccessKind.OTHER);
  }

  /**
   * All clients behind a Router have its address; it names theirs, first or after their context.
   */
  @Test
  void clientsOfARouterAreToldApart() {
    Set<Long> readers = new HashSet<>();
    for (String context :
        List.of(
            "",
            "\tcallerContext=clientIp:10.1.0.1,clientPort:4,clientId:a",
            "\tcallerContext=clientIp:10.1.0.2,clientPort:4,clientId:a",
            "\tcallerContext=SPARK_TASK_1,clientIp:10.1.0.3",
            "\tcallerContext=clientIp:fd00::7,clientPort:4")) {
      assertThat(parse(open("/a") + context)).isEqualTo(AuditLine.Verdict.ACCESS);
      readers.add(line.reader());
    }
    assertThat(readers).hasSize(5);
    // Another port or another context is no other client, and a name of a file is no context.
    for (String same :
        List.of(
            open("/a") + "\tcallerContext=clientIp:10.1.0.1,clientPort:5,clientId:b",
            open("/b") + "\tcallerContext=x,clientIp:10.1.0.2:signature",
            open("/a") + "\tcallerContext=otherclientIp:10.1.0.9",
            open("/a") + "\tcallerContext=clientIp:",
            open("/a\tcallerContext=clientIp:10.1.0.9"))) {
      assertThat(parse(same)).isEqualTo(AuditLine.Verdict.ACCESS);
      assertThat(readers).contains(line.reader());
    }
  }

  /** Wherever a line is cut: it is never taken for an access to another path. */
  @Test
  void aCutLineIsKnownAtEveryLength() {
    for (String whole : new String[] {open("/a/b"), rename("/a/b", "/c")}) {
      int pathsEnd = whole.indexOf(whole.contains("rename") ? "\tperm=" : "\tdst=");
      for (int length = 0; length <= whole.length(); length++) {
        AuditLine.Verdict verdict = parse(whole.substring(0, length));
        if (verdict == AuditLine.Verdict.ACCESS) {
          assertThat(length).isGreaterThanOrEqualTo(pathsEnd);
          assertThat(line.path()).hasToString("/a/b");
        }
      }
      assertThat(parse(whole)).isEqualTo(AuditLine.Verdict.ACCESS);
      assertThat(parse(whole.substring(0, whole.indexOf("/b")))).isEqualTo(AuditLine.Verdict.CUT);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
        "java.lang.NullPointerException: at some place of a longer trace",
        "2026-03-24 16:59:01,123 INFO BlockStateChange: BLOCK* addStoredBlock",
        "2026-13-24 16:59:01,123 INFO FSNamesystem.audit: allowed=true\tugi=a\tip=/1\tcmd=open\tsrc=/a\tdst=null\tperm=null",
        "2026-03-24 16:61:01,123 INFO FSNamesystem.audit: allowed=true\tugi=a\tip=/1\tcmd=open\tsrc=/a\tdst=null\tperm=null",
        "2026-03-24 16:59:01,123 INFO x: allowed=maybe\tugi=a\tip=/1\tcmd=open\tsrc=/a\tdst=null\tperm=null",
        "2026-03-24 16:59:01,123 INFO x: allowed=true\tugi=a\tip=/1\tcmd=open\tsrc=null\tdst=null\tperm=null"
      })
  void whatIsNoLineOfTheLogIsForeign(String text) {
    assertThat(parse(text)).isEqualTo(AuditLine.Verdict.FOREIGN);
  }

  @Property(tries = 2_000)
  void anyBytesAreParsedWithoutHarm(@ForAll byte[] bytes) {
    assertThat(line.parse(bytes, 0, bytes.length)).isNotNull();
  }

  @Test
  void timesAreThoseOfTheZone() {
    AuditLine there = new AuditLine(ZoneId.of("America/New_York"));
    for (String time : new String[] {"2026-03-08 01:59:59,000", "2026-03-08 03:00:00,000"}) {
      byte[] bytes = open("/a").replaceFirst("^.{23}", time).getBytes(StandardCharsets.UTF_8);
      assertThat(there.parse(bytes, 0, bytes.length)).isEqualTo(AuditLine.Verdict.ACCESS);
      assertThat(Instant.ofEpochMilli(there.timeMillis()).toString())
          .isEqualTo(time.contains("01:59") ? "2026-03-08T06:59:59Z" : "2026-03-08T07:00:00Z");
    }
  }
}
