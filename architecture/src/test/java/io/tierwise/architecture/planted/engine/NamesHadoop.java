package io.tierwise.architecture.planted.engine;

import org.apache.hadoop.fs.Path;

/** Names a Hadoop type where none may be named. */
public record NamesHadoop(Path path) {}
