package io.tierwise.hadoop.secondary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.message.Listener;
import io.tierwise.core.message.OperatorException;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Nobody reads a copy who could not read its file, and nobody takes other users' copies away. */
@ExtendWith(Clusters.Both.class)
class StoreRightsIT {
  private static final int BYTES = 10_000;

  private final Clusters clusters;

  StoreRightsIT(Clusters clusters) {
    this.clusters = clusters;
  }

  private DistributedFileSystem archive() throws IOException {
    return clusters.archive().getFileSystem();
  }

  private FileStatus onlyOf(Path directory) throws IOException {
    return archive().listStatus(directory)[0];
  }

  @Test
  void aStoreThatEverybodyMayWriteToTakesNothing() throws IOException {
    String store = clusters.store("hdfs");
    Path root = new Path(URI.create(store).getPath());
    byte[] data = clusters.write("/open-store/file", BYTES);
    archive().setPermission(root, new FsPermission((short) 0777));

    assertThatThrownBy(() -> clusters.run(store, SecondaryRun.Kind.OFFLOAD, "/open-store"))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("everybody may write to the secondary store " + store);

    archive().setPermission(root, new FsPermission((short) 01777));
    assertThat(clusters.run(store, SecondaryRun.Kind.OFFLOAD, "/open-store").files()).isOne();
    FileStatus pool = onlyOf(root);
    FileStatus folder = onlyOf(pool.getPath());
    assertThat(List.of(pool, folder))
        .allSatisfy(
            made -> assertThat(made.getPermission()).isEqualTo(new FsPermission((short) 0755)));

    clusters.run(store, SecondaryRun.Kind.RECALL, "/open-store");
    clusters.clean(store, "/open-store");
    archive().setOwner(pool.getPath(), "mallory", null);
    SecondaryReport report = clusters.run(store, SecondaryRun.Kind.OFFLOAD, "/open-store");
    assertThat(report.complete()).isFalse();
    assertThat(report.left().get(0).reason())
        .contains("belongs to mallory", "who could take away the copies there");
    assertThat(Clusters.read(clusters.stock(), "/open-store/file")).isEqualTo(data);
  }

  private FsPermission rightsOfCopy(String directory) throws IOException {
    String store = clusters.store("hdfs");
    SecondaryReport report = clusters.run(store, SecondaryRun.Kind.OFFLOAD, directory);
    assertThat(report.left()).isEmpty();
    Path root = new Path(URI.create(store).getPath());
    return onlyOf(onlyOf(onlyOf(root).getPath()).getPath()).getPermission();
  }

  @Test
  void directoriesAboveSayWhoReadsACopy() throws IOException {
    DistributedFileSystem stock = clusters.stock();
    clusters.write("/above/masked/file", BYTES);
    stock.setPermission(new Path("/above/masked/file"), new FsPermission((short) 0644));
    // The place of the group in a permission is the mask: only the list knows the group's own.
    stock.setAcl(
        new Path("/above/masked"),
        AclEntry.parseAclSpec("user::rwx,group::---,mask::r-x,user:alice:---,other::---", true));
    assertThat(rightsOfCopy("/above/masked")).isEqualTo(new FsPermission((short) 0400));

    clusters.write("/above/named/file", BYTES);
    stock.setAcl(
        new Path("/above/named"),
        AclEntry.parseAclSpec("user::rwx,group::r-x,user:alice:---,other::r-x", true));
    SecondaryReport named =
        clusters.run(clusters.store("hdfs"), SecondaryRun.Kind.OFFLOAD, "/above/named");
    assertThat(named.files()).isZero();
    assertThat(named.left().get(0).reason())
        .contains("the access control list of a directory above it", "/above/named");

    // An owner who cannot come to his file cannot by the store.
    clusters.write("/above/foreign/file", BYTES);
    stock.setOwner(new Path("/above/foreign/file"), "bob", null);
    stock.setPermission(new Path("/above/foreign"), new FsPermission((short) 0700));
    assertThat(rightsOfCopy("/above/foreign")).isEqualTo(new FsPermission((short) 0));
  }

  /** A copy has one group: of others that are kept out nothing can be said there. */
  @Test
  void aGroupThatIsKeptOutAloneReadsNoCopy() throws IOException {
    DistributedFileSystem stock = clusters.stock();
    clusters.write("/outcast/file-only/file", BYTES);
    stock.setPermission(new Path("/outcast/file-only/file"), new FsPermission((short) 0604));
    assertThat(rightsOfCopy("/outcast/file-only")).isEqualTo(new FsPermission((short) 0404));

    clusters.write("/outcast/same/file", BYTES);
    stock.setPermission(new Path("/outcast/same"), new FsPermission((short) 0705));
    assertThat(rightsOfCopy("/outcast/same")).isEqualTo(new FsPermission((short) 0404));

    byte[] data = clusters.write("/outcast/other/file", BYTES);
    stock.setOwner(new Path("/outcast/other"), null, "outcasts");
    stock.setPermission(new Path("/outcast/other"), new FsPermission((short) 0705));
    SecondaryReport report =
        clusters.run(clusters.store("hdfs"), SecondaryRun.Kind.OFFLOAD, "/outcast/other");
    assertThat(report.files()).isZero();
    assertThat(report.left().get(0).reason())
        .contains("keeps out its group outcasts", "/outcast/other");
    assertThat(Clusters.read(stock, "/outcast/other/file")).isEqualTo(data);
  }

  /** Whom directories keep out is in HDFS its superuser, and on a mounted store nobody special. */
  @Test
  void anOperatorsOwnFilesGoFromBelowClosedDirectories() throws IOException {
    String store = clusters.store("file");
    Configuration conf = clusters.conf(store);
    conf.set("fs.file.impl", StrictFileSystem.class.getName());
    DistributedFileSystem stock = clusters.stock();
    byte[] data = clusters.write("/kept-out/closed/file", BYTES);
    clusters.write("/kept-out/open/file", BYTES);
    stock.setOwner(new Path("/kept-out/closed"), "bob", "crew");
    stock.setPermission(new Path("/kept-out/closed"), new FsPermission((short) 0700));

    for (SecondaryRun.Kind kind :
        List.of(
            SecondaryRun.Kind.OFFLOAD,
            SecondaryRun.Kind.VERIFY,
            SecondaryRun.Kind.RECALL,
            SecondaryRun.Kind.OFFLOAD)) {
      SecondaryReport report =
          clusters.run(conf, store, kind, Steps.NONE, Listener.SILENT, "/kept-out");
      assertThat(report.files()).as("%s: %s", kind, report.left()).isEqualTo(2);
    }
    java.nio.file.Path copy = clusters.copyOf(store, "/kept-out/closed/file");
    assertThat(Files.readAllBytes(copy)).isEqualTo(data);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(copy)))
        .isEqualTo("r--------");
  }

  /** All who read a file read the description of its copy. */
  @Test
  void whatTheSuperuserAloneSeesIsInNoStore() throws IOException {
    String store = clusters.store("file");
    DistributedFileSystem stock = clusters.stock();
    clusters.write("/labelled/file", BYTES);
    Path file = new Path("/labelled/file");
    byte[] label = "of-the-superuser-alone".getBytes(StandardCharsets.UTF_8);
    stock.setXAttr(file, "trusted.label", label);
    stock.setXAttr(file, "trusted.later", new byte[] {1});
    stock.setXAttr(file, "trusted.gone", new byte[] {1});
    stock.setXAttr(file, "user.own", new byte[] {2});

    for (SecondaryRun.Kind kind :
        List.of(
            SecondaryRun.Kind.COPY,
            SecondaryRun.Kind.OFFLOAD,
            SecondaryRun.Kind.RECALL,
            SecondaryRun.Kind.OFFLOAD)) {
      assertThat(clusters.run(store, kind, "/labelled").left()).as("%s", kind).isEmpty();
      assertThat(Clusters.contentsOf(store).values())
          .as("%s", kind)
          .noneMatch(text -> text.contains(Base64.getEncoder().encodeToString(label)));
    }
    stock.setXAttr(file, "trusted.later", new byte[] {3}, EnumSet.of(XAttrSetFlag.REPLACE));
    stock.removeXAttr(file, "trusted.gone");
    assertThat(clusters.run(store, SecondaryRun.Kind.RECALL, "/labelled").left()).isEmpty();

    assertThat(stock.getXAttr(file, "trusted.label")).isEqualTo(label);
    assertThat(stock.getXAttr(file, "trusted.later")).containsExactly(3);
    assertThat(stock.getXAttrs(file)).doesNotContainKey("trusted.gone");
    assertThat(stock.getXAttr(file, "user.own")).containsExactly(2);
  }
}
