package io.tierwise.profiles;

import io.tierwise.core.message.FileReason;
import io.tierwise.core.message.OperatorException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteException;

/** A catalog in one SQLite file. */
class SqliteFile implements CatalogDatabase {
  private final Path file;
  private final int waitMillis;

  SqliteFile(String file, int waitMillis) {
    this.file = Path.of(file);
    this.waitMillis = waitMillis;
  }

  @Override
  public String name() {
    return file.toString();
  }

  @Override
  public Connection connect(boolean make) throws SQLException {
    if (make) {
      makeFolder();
    } else if (!Files.exists(file)) {
      throw none();
    }
    SQLiteConfig config = new SQLiteConfig();
    config.setBusyTimeout(waitMillis);
    // As a URI, so that no sign in the name is read as an option.
    return config.createConnection("jdbc:sqlite:" + file.toAbsolutePath().toUri());
  }

  private void makeFolder() {
    try {
      Path folder = file.toAbsolutePath().getParent();
      if (folder != null) {
        Files.createDirectories(folder);
      }
    } catch (IOException e) {
      throw OperatorException.cluster(
          "no folder can be made for the catalog "
              + file
              + " ("
              + FileReason.of(e)
              + "): --catalog FILE names another",
          e);
    }
  }

  @Override
  public long version(Connection connection) throws SQLException {
    // One statement sees one state, whoever makes the tables meanwhile.
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT (SELECT user_version FROM pragma_user_version),"
                    + " (SELECT application_id FROM pragma_application_id),"
                    + " (SELECT COUNT(*) FROM sqlite_master)")) {
      long version = row.getLong(1);
      long application = row.getLong(2);
      if (application == APPLICATION_ID) {
        return version;
      }
      if (application != 0 || version != 0 || row.getLong(3) > 0) {
        throw OperatorException.badInput(
            file + " is another program's SQLite file: name a catalog by --catalog");
      }
      return 0;
    }
  }

  @Override
  public String begin() {
    return "BEGIN IMMEDIATE";
  }

  @Override
  public List<String> make(List<String> tables, int version) {
    List<String> statements = new ArrayList<>(tables);
    statements.add("PRAGMA application_id = " + APPLICATION_ID);
    statements.add("PRAGMA user_version = " + version);
    return statements;
  }

  @Override
  public List<String> change(List<String> tables, int version) {
    // The mark of the application stays, and takes no harm.
    return make(tables, version);
  }

  @Override
  public String reason(SQLException e) {
    String code = e instanceof SQLiteException sqlite ? sqlite.getResultCode().name() : "";
    if (code.startsWith("SQLITE_BUSY") || code.startsWith("SQLITE_LOCKED")) {
      return LOCKED;
    }
    if (code.equals("SQLITE_FULL")) {
      return FULL;
    }
    if (code.startsWith("SQLITE_CORRUPT") || code.equals("SQLITE_NOTADB")) {
      return "is damaged, or no catalog: move it away and import the history again";
    }
    if (code.startsWith("SQLITE_READONLY") || code.startsWith("SQLITE_PERM")) {
      return "may not be written by you, or not in its folder: name another by --catalog";
    }
    if (code.startsWith("SQLITE_CANTOPEN")) {
      return "cannot be opened: check its folder and your rights to both";
    }
    return "cannot be used: " + CatalogDatabase.said(e);
  }
}
