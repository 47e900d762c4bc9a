/** Tests of what is said and shown of policies on paths. */
package io.tierwise.hadoop.inspect.policy;
