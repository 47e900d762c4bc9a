package io.tierwise.lab.dfsio;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;

/**
 * One new client a place, made when first asked for, with keys of its own: what the clients of one
 * strategy are.
 */
public final class ClientSet implements BenchClients {
  private final Function<BenchPlace, Configuration> configurations;
  private final Map<String, String> keys;
  private final Map<BenchPlace, FileSystem> clients = new HashMap<>();

  /**
   * @param configurations what a client at a place is configured with; must be a copy
   * @param keys set on top for every client
   */
  public ClientSet(Function<BenchPlace, Configuration> configurations, Map<String, String> keys) {
    this.configurations = configurations;
    this.keys = Map.copyOf(keys);
  }

  @Override
  public synchronized FileSystem at(BenchPlace place) throws IOException {
    FileSystem client = clients.get(place);
    if (client == null) {
      Configuration conf = configurations.apply(place);
      keys.forEach(conf::set);
      client = FileSystem.newInstance(FileSystem.getDefaultUri(conf), conf);
      clients.put(place, client);
    }
    return client;
  }

  @Override
  public synchronized long refusals() {
    return clients.values().stream().mapToLong(ReadRefusals::of).sum();
  }

  @Override
  public synchronized void close() throws IOException {
    IOException failure = null;
    for (FileSystem client : clients.values()) {
      try {
        client.close();
      } catch (IOException e) {
        failure = e;
      }
    }
    clients.clear();
    if (failure != null) {
      throw failure;
    }
  }
}
