package io.tierwise.profiles;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URLEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.tukaani.xz.XZInputStream;

/**
 * A PostgreSQL server of a test's own, with the server's defaults, in a folder that goes with the
 * test. Its programs come from a jar, so that a machine needs no package of it. The server refuses
 * to run as root: root's test has it run as nobody, who then owns the folder.
 */
public final class PostgresServer implements AutoCloseable {
  /** Signs that a URL has to write otherwise. */
  private static final String PASSWORD = "s3cret @:/?#%+&=";

  private static final String NOBODY = "65534";
  private static final int ATTEMPTS_MAX = 5;
  private static final int SECONDS_MAX = 120;

  private final Path folder;
  private int port;
  private int databases;

  private PostgresServer(Path folder) {
    this.folder = folder;
  }

  /** Starts one in an empty folder. */
  public static PostgresServer start(Path folder) throws IOException, InterruptedException {
    PostgresServer server = new PostgresServer(folder);
    server.unpack();
    server.initialize();
    for (int i = 1; ; i++) {
      // Behind the ports that Linux gives to whoever wants any; another process may have this one.
      server.port = ThreadLocalRandom.current().nextInt(15_000, 32_000);
      try {
        server.restart();
        return server;
      } catch (IOException e) {
        if (i == ATTEMPTS_MAX) {
          throw e;
        }
      }
    }
  }

  private void unpack() throws IOException, InterruptedException {
    String machine = System.getProperty("os.arch").equals("amd64") ? "x86_64" : "arm_64";
    String archive = "/postgres-linux-" + machine + ".txz";
    Path programs = Files.createDirectory(folder.resolve("programs"));
    Process tar = new ProcessBuilder("tar", "-x", "-C", programs.toString()).start();
    try (InputStream packed = PostgresServer.class.getResourceAsStream(archive);
        OutputStream unpacked = tar.getOutputStream()) {
      new XZInputStream(packed).transferTo(unpacked);
    }
    if (tar.waitFor() != 0) {
      throw new IOException(new String(tar.getErrorStream().readAllBytes(), UTF_8));
    }
  }

  private void initialize() throws IOException, InterruptedException {
    Path password = Files.writeString(folder.resolve("password"), PASSWORD);
    if (isRoot()) {
      run(List.of("chown", "-R", NOBODY, folder.toString()));
    }
    run(
        program(
            "initdb",
            "--username=postgres",
            "--auth=scram-sha-256",
            "--pwfile=" + password,
            "--no-sync",
            "--encoding=UTF8",
            "--locale=C"));
  }

  private static boolean isRoot() {
    return System.getProperty("user.name").equals("root");
  }

  private List<String> program(String name, String... options) {
    List<String> command = new ArrayList<>();
    if (isRoot()) {
      command.addAll(
          List.of("setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups"));
    }
    command.add(folder.resolve("programs/bin").resolve(name).toString());
    command.add("--pgdata=" + folder.resolve("data"));
    command.addAll(List.of(options));
    return command;
  }

  private void run(List<String> command) throws IOException, InterruptedException {
    Path said = folder.resolve("said");
    Process process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .start();
    if (!process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)) {
      process.destroyForcibly();
    }
    if (process.waitFor() != 0) {
      throw new IOException(command + ": " + Files.readString(said));
    }
  }

  /** Starts it again on its port, after a crash. */
  void restart() throws IOException, InterruptedException {
    run(
        program(
            "pg_ctl",
            "start",
            "--wait",
            "--timeout=" + SECONDS_MAX,
            "--log=" + folder.resolve("log"),
            "--options=-p " + port + " -c listen_addresses=127.0.0.1 -c unix_socket_directories="));
  }

  /** Ends it as a crash would. */
  void crash() throws IOException, InterruptedException {
    run(program("pg_ctl", "stop", "--mode=immediate", "--wait", "--timeout=" + SECONDS_MAX));
  }

  @Override
  public void close() throws IOException, InterruptedException {
    run(program("pg_ctl", "stop", "--mode=fast", "--wait", "--timeout=" + SECONDS_MAX));
  }

  /** Makes an empty database; its name is that of no other, to be a role's as well. */
  public String newDatabase() throws SQLException {
    String name = "test" + databases++;
    execute("postgres", "CREATE DATABASE " + name);
    return name;
  }

  /** The URL of a database for its administrator, password included. */
  public String url(String database) {
    return url("postgres", PASSWORD, database);
  }

  /** The URL of a database for another user. */
  public String url(String user, String password, String database) {
    String encoded = URLEncoder.encode(password, UTF_8).replace("+", "%20");
    return "postgresql://" + user + ":" + encoded + "@127.0.0.1:" + port + "/" + database;
  }

  /** A connection of the administrator's. */
  Connection connect(String database) throws SQLException {
    return DriverManager.getConnection(
        "jdbc:postgresql://127.0.0.1:" + port + "/" + database, "postgres", PASSWORD);
  }

  /** Has the administrator execute statements. */
  public void execute(String database, String... statements) throws SQLException {
    try (Connection connection = connect(database);
        Statement statement = connection.createStatement()) {
      for (String each : statements) {
        statement.execute(each);
      }
    }
  }
}
