/**
 * The one-line texts that name policies, and where the policies come from: this project's own and
 * those that anybody put on the class path.
 *
 * <p>Not here: what a policy does. Start reading at {@link
 * io.tierwise.policies.text.PolicyRegistry}.
 */
package io.tierwise.policies.text;
