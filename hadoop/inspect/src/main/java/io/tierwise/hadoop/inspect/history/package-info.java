/**
 * Where history is stored that jobs leave: files and folders of any file system that Hadoop knows.
 * Not here: what stands in them ({@link io.tierwise.history}). Start reading at {@link
 * io.tierwise.hadoop.inspect.history.StoredHistory}.
 */
package io.tierwise.hadoop.inspect.history;
