/** Learning from windows that a test makes up. */
package io.tierwise.profiles.popularity;
