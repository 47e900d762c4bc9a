/**
 * Hosts that treat a policy by its class, on purpose. Not examples. Start reading at {@link
 * io.tierwise.architecture.planted.host.PolicyClasses}.
 */
package io.tierwise.architecture.planted.host;
