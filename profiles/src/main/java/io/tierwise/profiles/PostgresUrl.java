package io.tierwise.profiles;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tierwise.core.message.OperatorException;
import io.tierwise.core.message.Words;
import java.net.URLDecoder;
import java.util.Properties;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A database of a PostgreSQL server as its users write it, for psql or for JDBC. The driver gets
 * user, password and settings apart from the address, so that none of its messages has them.
 *
 * @param name for messages, without password and settings
 * @param address for the driver, without these and without the user
 * @param schema that the tables are in
 */
record PostgresUrl(String name, String address, String schema, Properties settings) {
  private static final String HOST = "(?:\\[[0-9A-Fa-f:.]+]|[^\\s\\[\\]:@/?#,]*)(?::[0-9]{1,5})?";
  private static final String SETTING = "[A-Za-z]+=[^&]*";

  /** User, password, hosts, database, settings. No part may hold the sign that ends it. */
  private static final Pattern FORM =
      Pattern.compile(
          "(?:jdbc:)?postgres(?:ql)?://(?:([^:@/?#]+)(?::([^@/?#]*))?@)?"
              + ("(" + HOST + "(?:," + HOST + ")*)")
              + "(?:/([^@/?#]*))?"
              + ("(?:\\?(" + SETTING + "(?:&" + SETTING + ")*)?)?"));

  private static final Pattern ANY_URL =
      Pattern.compile("(?i)jdbc:|postgres(ql)?:|[a-z][a-z0-9+.-]*://");

  private static final Pattern PLAIN_NAME = Pattern.compile("[a-z_][a-z0-9_]{0,62}");

  /** Own: longer than any statement of ours, so that only a server that is gone is given up. */
  private static final String SOCKET_SECONDS = "120";

  /** Whether it is meant as a URL of whatever kind, rather than as a file. */
  static boolean isUrl(String where) {
    return ANY_URL.matcher(where).lookingAt();
  }

  /**
   * Reads one.
   *
   * @param environment has {@code PGUSER} and {@code PGPASSWORD}; the driver itself looks into
   *     {@code ~/.pgpass}
   */
  static PostgresUrl parse(String url, UnaryOperator<String> environment) {
    Matcher parts = FORM.matcher(url);
    if (!parts.matches()) {
      throw refused("is no URL of a PostgreSQL database");
    }
    Properties settings = new Properties();
    settings.setProperty("ApplicationName", "tierwise");
    settings.setProperty("currentSchema", "tierwise");
    settings.setProperty("socketTimeout", SOCKET_SECONDS);
    set(settings, "user", environment.apply("PGUSER"));
    set(settings, "password", environment.apply("PGPASSWORD"));
    if (parts.group(5) != null) {
      for (String setting : parts.group(5).split("&")) {
        String[] pair = setting.split("=", 2);
        set(settings, pair[0], decoded(pair[1]));
      }
    }
    set(settings, "user", decoded(parts.group(1)));
    set(settings, "password", decoded(parts.group(2)));
    String schema = settings.getProperty("currentSchema");
    if (!PLAIN_NAME.matcher(schema).matches()) {
      throw refused("has a currentSchema that is not one plain name in lower case");
    }
    String database = parts.group(4) == null ? "" : parts.group(4).replace("+", "%2B");
    String place = parts.group(3) + "/" + database;
    String user = settings.getProperty("user");
    return new PostgresUrl(
        Words.plain("postgresql://" + (user == null ? "" : user + "@") + place),
        "jdbc:postgresql://" + place,
        schema,
        settings);
  }

  /** Without the settings, which have the password. */
  @Override
  public String toString() {
    return name;
  }

  private static void set(Properties settings, String key, String value) {
    if (value != null) {
      settings.setProperty(key, value);
    }
  }

  private static String decoded(String text) {
    try {
      return text == null ? null : URLDecoder.decode(text.replace("+", "%2B"), UTF_8);
    } catch (IllegalArgumentException e) {
      throw refused("has a % without two hexadecimal digits");
    }
  }

  /** Does not repeat it: nobody knows which part of it is the password. */
  private static OperatorException refused(String problem) {
    return OperatorException.badInput(
        "--catalog "
            + problem
            + ": write postgresql://USER@HOST:PORT/DATABASE, each of : @ / ? # & % in a name or"
            + " password as % and two digits, and give the password by PGPASSWORD or ~/.pgpass");
  }
}
