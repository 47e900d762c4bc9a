package io.tierwise.profiles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.message.OperatorException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How users write a database, and that nobody is told the password. */
class PostgresUrlTest {
  private static PostgresUrl parse(String url) {
    return PostgresUrl.parse(url, variable -> null);
  }

  private static void assertIs(PostgresUrl url, String name, String user, String password) {
    assertThat(url.name()).isEqualTo(name).isEqualTo(url.toString());
    assertThat(url.settings().getProperty("user")).isEqualTo(user);
    assertThat(url.settings().getProperty("password")).isEqualTo(password);
    assertThat(url.address()).startsWith("jdbc:postgresql://").doesNotContain("pass");
  }

  @Test
  void readsWhatPsqlAndJdbcWrite() {
    assertIs(parse("postgresql://h/db"), "postgresql://h/db", null, null);
    assertIs(parse("postgres://me@h:1/db"), "postgresql://me@h:1/db", "me", null);
    assertIs(
        parse("postgresql://me:pa%40s%2Fs+%25@[::1]:1/d"),
        "postgresql://me@[::1]:1/d",
        "me",
        "pa@s/s+%");
    assertIs(parse("postgresql://me:a:b@h/db"), "postgresql://me@h/db", "me", "a:b");
    assertIs(parse("postgresql://me:@h/db"), "postgresql://me@h/db", "me", "");
    assertIs(
        parse("jdbc:postgresql://h,i:5/db?user=me@h&password=pass/w&sslmode=require"),
        "postgresql://me@h@h,i:5/db",
        "me@h",
        "pass/w");
    assertThat(parse("postgresql://h/db?sslmode=require").settings())
        .containsEntry("sslmode", "require")
        .containsEntry("currentSchema", "tierwise");
    assertThat(parse("postgresql:///a+b?").address()).isEqualTo("jdbc:postgresql:///a%2Bb");
  }

  @Test
  void takesTheEnvironmentWhereTheUrlSaysNothing() {
    Map<String, String> environment = Map.of("PGUSER", "eve", "PGPASSWORD", "word");
    PostgresUrl bare = PostgresUrl.parse("postgresql://h/db", environment::get);
    assertIs(bare, "postgresql://eve@h/db", "eve", "word");
    PostgresUrl full = PostgresUrl.parse("postgresql://me:pass@h/db", environment::get);
    assertIs(full, "postgresql://me@h/db", "me", "pass");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "postgresql://me:pa/ss@h/db",
        "postgresql://me:pa?ss@h/db",
        "postgresql://me:pa#ss@h/db",
        "postgresql://me:pa@ss@h/db",
        "postgresql://me:pa%ss@h/db",
        "postgresql://h/db?password",
        "postgresql:pass",
        "jdbc:postgresql:pass",
        "mysql://me:pass@h/db",
        "postgresql://h/db?currentSchema=pass;",
        "postgresql://h/db?currentSchema=pass,word",
      })
  void refusesOthersAndRepeatsNothingOfThem(String url) {
    assertThat(PostgresUrl.isUrl(url)).isTrue();
    assertThatThrownBy(() -> parse(url))
        .isInstanceOf(OperatorException.class)
        .hasMessageStartingWith("--catalog ")
        .message()
        .doesNotContain("pa/")
        .doesNotContainPattern("pass[^w]|\\bpa\\b|\\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/var/runs.db", "runs.db", "postgres.db", "a:b", "C:\\runs.db", "./jdbc:x"})
  void otherNamesAreFiles(String where) {
    assertThat(PostgresUrl.isUrl(where)).isFalse();
  }
}
