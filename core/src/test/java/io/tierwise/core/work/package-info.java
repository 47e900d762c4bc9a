/** Tests of the nouns of work. Start reading at {@link io.tierwise.core.work.JobTest}. */
package io.tierwise.core.work;
