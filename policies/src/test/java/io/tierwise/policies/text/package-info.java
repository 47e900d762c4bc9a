/** Tests of the registry of policies. */
package io.tierwise.policies.text;
