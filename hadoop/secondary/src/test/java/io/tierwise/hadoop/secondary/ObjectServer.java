package io.tierwise.hadoop.secondary;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;

/** S3Proxy in a process of its own: a server of S3's protocol that checks signatures. */
public final class ObjectServer implements AutoCloseable {
  private static final String BUCKET = "archive";
  private static final String KEY = "tierwise";
  private static final String SECRET = "not-a-secret-of-anybody";
  private static final String SETTINGS = "s3proxy.properties";
  private static final String LOG = "log";
  private static final long START_SECONDS_MAX = 60;

  private final Path folder;

  /** Nobody else gets its port, which the server may share, before the server or between two. */
  private final Socket held = new Socket();

  private final int port;
  private Process process;

  /** Starts it with an empty bucket. */
  public ObjectServer() throws IOException {
    folder = Files.createTempDirectory("tierwise-objects");
    held.setReuseAddress(true);
    held.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    port = held.getLocalPort();
    start();
  }

  /** The same again, after it was killed. */
  void start() throws IOException {
    Properties settings = new Properties();
    settings.setProperty("s3proxy.endpoint", "http://127.0.0.1:" + port);
    settings.setProperty("s3proxy.authorization", "aws-v2-or-v4");
    settings.setProperty("s3proxy.identity", KEY);
    settings.setProperty("s3proxy.credential", SECRET);
    // Its directory of files takes S3A's markers of directories for files; its memory has names
    // alone.
    settings.setProperty("jclouds.provider", "transient");
    Path file = folder.resolve(SETTINGS);
    try (OutputStream out = Files.newOutputStream(file)) {
      settings.store(out, null);
    }
    Path classPath =
        Path.of(
            System.getProperty("tierwise.root"),
            "hadoop/object-server/target/object-server.classpath");
    process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                Files.readString(classPath).strip(),
                "org.gaul.s3proxy.Main",
                "--properties",
                file.toString())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve(LOG).toFile())
            .start();
    awaitAnswer();
    makeBucket();
  }

  private void makeBucket() {
    try (S3Client client =
        S3Client.builder()
            .endpointOverride(URI.create("http://127.0.0.1:" + port))
            .region(Region.US_EAST_1)
            .forcePathStyle(true)
            .credentialsProvider(
                StaticCredentialsProvider.create(AwsBasicCredentials.create(KEY, SECRET)))
            .build()) {
      client.createBucket(bucket -> bucket.bucket(BUCKET));
    }
  }

  private void awaitAnswer() throws IOException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS_MAX);
    while (!answers()) {
      if (!process.isAlive() || System.nanoTime() > end) {
        String said = Files.readString(folder.resolve(LOG));
        close();
        throw new AssertionError("the object server did not start: " + said);
      }
    }
  }

  private boolean answers() throws IOException {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
      return true;
    } catch (IOException e) {
      try {
        process.waitFor(50, TimeUnit.MILLISECONDS);
      } catch (InterruptedException interrupted) {
        throw new IOException(interrupted);
      }
      return false;
    }
  }

  /** Ends it as by {@code kill -9}. */
  void kill() {
    process.destroyForcibly().onExit().join();
  }

  /** The process, for signals. */
  public long pid() {
    return process.pid();
  }

  /** A store on it, as the configuration names it. */
  public String store(String name) {
    return "s3a://" + BUCKET + "/" + name;
  }

  /** Lets S3A find it, with these keys. */
  public void configure(Configuration conf) {
    conf.set("fs.s3a.endpoint", "http://127.0.0.1:" + port);
    conf.set("fs.s3a.endpoint.region", "us-east-1");
    conf.setBoolean("fs.s3a.path.style.access", true);
    conf.set(
        "fs.s3a.aws.credentials.provider", "org.apache.hadoop.fs.s3a.SimpleAWSCredentialsProvider");
    conf.set("fs.s3a.access.key", KEY);
    conf.set("fs.s3a.secret.key", SECRET);
    // The least that S3 takes, so that files of some megabytes are sent in parts.
    conf.set("fs.s3a.multipart.size", "5M");
    conf.set("fs.s3a.multipart.threshold", "5M");
    // A server that is down is told at once, not after some minutes.
    conf.setInt("fs.s3a.attempts.maximum", 1);
    conf.setInt("fs.s3a.retry.limit", 1);
    conf.set("fs.s3a.retry.interval", "50ms");
  }

  /** Also deletes what it wrote. */
  @Override
  public void close() throws IOException {
    kill();
    held.close();
    for (String name : new String[] {SETTINGS, LOG}) {
      Files.deleteIfExists(folder.resolve(name));
    }
    Files.delete(folder);
  }
}
