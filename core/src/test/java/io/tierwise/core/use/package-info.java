/** Tests of the nouns of use. Start reading at {@link io.tierwise.core.use.UseTest}. */
package io.tierwise.core.use;
