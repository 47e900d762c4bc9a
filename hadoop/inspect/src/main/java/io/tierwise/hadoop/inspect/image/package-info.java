/**
 * The image that a NameNode saves of its namespace ({@code fsimage}), read from its file: which
 * files there are, how large, with how many replicas, under which policies. No NameNode is asked.
 *
 * <p>The format and its messages are Hadoop's own classes. Memory grows with the directories, and
 * by 16 bytes a file: paths are put together one at a time. Not here: where blocks are, which an
 * image does not say, and what only a snapshot holds. Start reading at {@link
 * io.tierwise.hadoop.inspect.image.FsImage}.
 */
package io.tierwise.hadoop.inspect.image;
