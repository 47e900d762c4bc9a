/**
 * The NameNode's audit: what it says of each access, in its own words, as a feed of accesses.
 *
 * <p>Not here: files of an audit log, which are read from outside ({@code hadoop/inspect}), and
 * counting, which is a policy's ({@code policies/heat}). Start reading at {@link
 * io.tierwise.hadoop.hdfs.audit.TierwiseAuditLogger}.
 */
package io.tierwise.hadoop.hdfs.audit;
