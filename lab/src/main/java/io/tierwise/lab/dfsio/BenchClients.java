package io.tierwise.lab.dfsio;

import java.io.IOException;
import org.apache.hadoop.fs.FileSystem;

/** Clients by place: what a task on a node would use. */
public interface BenchClients extends AutoCloseable {
  /** The client of that place; one client serves all tasks of a place. Safe for many threads. */
  FileSystem at(BenchPlace place) throws IOException;

  /** Reads that DataNodes refused to these clients so far; 0 when they do not count them. */
  long refusals();

  /** Closes all clients. */
  @Override
  void close() throws IOException;
}
