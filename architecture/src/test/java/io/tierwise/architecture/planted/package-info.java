/**
 * Classes that break the rules on purpose, so that the tests can show that each rule notices. Not
 * examples. Start reading at {@link io.tierwise.architecture.planted.ForbiddenCalls}.
 */
package io.tierwise.architecture.planted;
