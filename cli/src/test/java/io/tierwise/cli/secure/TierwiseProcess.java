package io.tierwise.cli.secure;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.cli.secure.SecureHdfs.Ended;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** {@code tierwise} as a process of its own, with a realm and tickets of its own. */
final class TierwiseProcess implements AutoCloseable {
  private static final int MINUTES_MAX = 3;

  private static final int AWAIT_SECONDS_MAX = 240;

  private final Process process;
  private final String command;
  private final Path out;
  private final Path err;
  private final long startNanos = System.nanoTime();

  private TierwiseProcess(Process process, String command, Path out, Path err) {
    this.process = process;
    this.command = command;
    this.out = out;
    this.err = err;
  }

  /**
   * @param classPathConf null for no directory of settings
   */
  static TierwiseProcess start(
      Path folder, Path realm, Path ticketCache, Path classPathConf, String... arguments)
      throws IOException {
    List<String> line = new ArrayList<>();
    line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    line.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx512m"));
    line.add("-Djava.security.krb5.conf=" + realm);
    line.add("-Dlog4j.configuration=file:" + quietLog());
    line.add("-cp");
    String classPath = System.getProperty("java.class.path");
    line.add(classPathConf == null ? classPath : classPathConf + File.pathSeparator + classPath);
    line.add("io.tierwise.cli.TierwiseCommand");
    line.addAll(List.of(arguments));
    Path out = Files.createTempFile(folder, "command", ".out");
    Path err = Files.createTempFile(folder, "command", ".err");
    ProcessBuilder builder =
        new ProcessBuilder(line).redirectOutput(out.toFile()).redirectError(err.toFile());
    builder.environment().put("KRB5CCNAME", "FILE:" + ticketCache);
    builder.environment().remove("HADOOP_CONF_DIR");
    return new TierwiseProcess(builder.start(), String.join(" ", arguments), out, err);
  }

  private static Path quietLog() {
    return Path.of(System.getProperty("tierwise.root"), "scripts", "log", "log4j.properties");
  }

  /** Its end, which is waited for. */
  Ended ended() throws Exception {
    if (!process.waitFor(MINUTES_MAX, TimeUnit.MINUTES)) {
      process.destroyForcibly().waitFor();
      throw new AssertionError(command + " hangs: " + err());
    }
    double seconds = (System.nanoTime() - startNanos) / 1e9;
    return new Ended(process.exitValue(), out(), err(), seconds);
  }

  /** Something that comes while a process goes on. */
  interface Check {
    boolean holds() throws Exception;
  }

  /** Waits for something; the process has to go on until then. */
  void await(String what, Check check) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(AWAIT_SECONDS_MAX);
    while (!check.holds()) {
      assertThat(process.isAlive()).as("%s: %s", what, err()).isTrue();
      assertThat(System.nanoTime()).as("%s: %s", what, err()).isLessThan(end);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
    }
  }

  /** What it has answered so far. */
  String out() throws IOException {
    return Files.readString(out);
  }

  /** What it has said so far to people. */
  String err() throws IOException {
    return Files.readString(err);
  }

  /** The seconds since it began. */
  double seconds() {
    return (System.nanoTime() - startNanos) / 1e9;
  }

  /** As by Ctrl-C. */
  @Override
  public void close() throws Exception {
    process.destroy();
    if (!process.waitFor(MINUTES_MAX, TimeUnit.MINUTES)) {
      process.destroyForcibly();
    }
  }
}
