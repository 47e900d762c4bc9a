/**
 * The requests of a policy to its host, as data: the action, which policy and which of its rules
 * says so, and by which score. One form for the explanation, the journal and the report.
 *
 * <p>Not here: how an engine does it, and actions that no policy asks for yet. Start reading at
 * {@link io.tierwise.core.action.Action}.
 */
package io.tierwise.core.action;
