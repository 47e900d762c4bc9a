package io.tierwise.profiles;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** A catalog in a schema of a PostgreSQL database. */
final class PostgresDatabase implements CatalogDatabase {
  private final PostgresUrl url;

  PostgresDatabase(PostgresUrl url, int waitMillis) {
    this.url = url;
    url.settings().putIfAbsent("options", "-c lock_timeout=" + waitMillis);
  }

  @Override
  public String name() {
    return url.name();
  }

  @Override
  public Connection connect(boolean make) throws SQLException {
    return DriverManager.getConnection(url.address(), url.settings());
  }

  @Override
  public long version(Connection connection) throws SQLException {
    // By a query of rows: to_regclass() and its like may still answer as before the importers' lock
    // was waited for.
    long tables =
        CatalogDatabase.number(
            connection,
            "SELECT COUNT(*) FROM pg_tables WHERE schemaname = ? AND tablename = ?",
            url.schema(),
            "catalog_version");
    // With its schema, so that a missing right to that is an error and not a missing table.
    return tables == 0
        ? 0
        : CatalogDatabase.number(
            connection, "SELECT version FROM " + url.schema() + ".catalog_version");
  }

  /**
   * Importers take turns by an advisory lock, which needs no right to a table and is there before
   * the tables are. Whoever had to wait for it then sees what the others have added.
   */
  @Override
  public String begin() {
    return "BEGIN ISOLATION LEVEL READ COMMITTED; SELECT pg_advisory_xact_lock("
        + APPLICATION_ID
        + ")";
  }

  @Override
  public List<String> make(List<String> tables, int version) {
    List<String> statements = new ArrayList<>();
    // Even CREATE SCHEMA IF NOT EXISTS wants a right that a schema made for us does without.
    statements.add(
        "DO $$BEGIN IF to_regnamespace('%1$s') IS NULL THEN CREATE SCHEMA %1$s; END IF; END$$"
            .formatted(url.schema()));
    tables.forEach(table -> statements.add(translated(table)));
    statements.add("CREATE TABLE catalog_version (version BIGINT NOT NULL)");
    statements.add("INSERT INTO catalog_version VALUES (" + version + ")");
    return statements;
  }

  private static String translated(String table) {
    return table
        .replace("INTEGER PRIMARY KEY", "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY")
        .replace(" INTEGER", " BIGINT")
        .replace(" WITHOUT ROWID", "");
  }

  @Override
  public List<String> change(List<String> tables, int version) {
    List<String> statements = new ArrayList<>();
    tables.forEach(table -> statements.add(translated(table)));
    statements.add("UPDATE catalog_version SET version = " + version);
    return statements;
  }

  @Override
  public String reason(SQLException e) {
    return switch (e.getSQLState() == null ? "" : e.getSQLState()) {
      case "08001", "57P03" -> "does not answer: check host and port, and that its server is up";
      case "08003", "08006", "57P01", "57P02" ->
          "lost its server on the way: import again when that is back, a run counts once";
      case "08004", "28000", "28P01" ->
          "does not let you in ("
              + CatalogDatabase.said(e)
              + "): give the password by PGPASSWORD or ~/.pgpass";
      case "3D000" -> "is not there: have the database made, for instance by createdb";
      case "25006" -> "may only be read: import into a server that may be written to";
      case "42501" ->
          "does not let you do that ("
              + CatalogDatabase.said(e)
              + "): the first import, and the first one of a newer Tierwise, needs CREATE on the"
              + " database, or on a schema "
              + url.schema()
              + " made for it; later ones SELECT and INSERT; others USAGE and SELECT";
      case "42P01", "42P07", "42703" ->
          "has tables of another program in the schema "
              + url.schema()
              + ", or lost its own: name another schema by ?currentSchema=NAME";
      case "55P03" -> LOCKED;
      case "53100" -> FULL;
      default -> "cannot be used: " + CatalogDatabase.said(e);
    };
  }
}
