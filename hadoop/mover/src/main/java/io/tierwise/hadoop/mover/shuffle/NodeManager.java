package io.tierwise.hadoop.mover.shuffle;

/**
 * A NodeManager as the ResourceManager lists it.
 *
 * @param id by which it is told from others, also on one host
 * @param host as it calls itself
 * @param web the scheme, host and port of its web server
 */
public record NodeManager(String id, String host, String web) {}
