package io.tierwise.profiles;

import io.tierwise.core.message.OperatorException;
import io.tierwise.core.message.Words;
import java.nio.file.Path;
import java.sql.SQLException;
import org.sqlite.SQLiteException;

/** Says in a line why a catalog cannot be used, and what to do. */
final class CatalogFailure {
  private CatalogFailure() {}

  static OperatorException of(Path file, SQLException e) {
    return OperatorException.cluster("the catalog " + file + " " + reason(e), e);
  }

  private static String reason(SQLException e) {
    String code = e instanceof SQLiteException sqlite ? sqlite.getResultCode().name() : "";
    if (code.startsWith("SQLITE_BUSY") || code.startsWith("SQLITE_LOCKED")) {
      return "is locked by another process: try again when that is done";
    }
    if (code.equals("SQLITE_FULL")) {
      return "cannot grow, its file system is full: nothing of the last runs was added; make room"
          + " and import again";
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
    String message = e.getMessage() == null ? "no message" : e.getMessage();
    return "cannot be used: " + Words.plain(message.lines().findFirst().orElse(""));
  }
}
