/**
 * A host's view when a policy decided, as data: recorded on a running NameNode or ResourceManager,
 * kept as JSON, and asked again without it. Part of the jar of tests, for the policies of others,
 * too.
 *
 * <p>Not here: a reader or writer of JSON; each record is made of plain components that Jackson
 * reads and writes as they are. Start reading at {@link
 * io.tierwise.policies.recorded.RecordedPlacement}; for reads, which a session answers by its
 * earlier ones, at {@link io.tierwise.policies.recorded.RecordedReads}.
 */
package io.tierwise.policies.recorded;
