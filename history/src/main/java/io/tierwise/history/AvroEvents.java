package io.tierwise.history;

import io.tierwise.history.AvroSchema.Kind;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * Events in Avro's binary encoding, one after the other, as job history files hold them: without
 * the blocks and markers of Avro's own container files.
 *
 * <p>Source: Apache Avro specification, "Binary Encoding". Values that nobody asks for are skipped,
 * so that an event of any size costs no memory.
 */
final class AvroEvents implements EventFields {
  private static final int TEXT_BYTES_MAX = 1 << 20;
  private static final int NESTING_MAX = 64;

  /** Elements of one event: a hostile schema has some that take no byte. */
  private static final long ELEMENTS_MAX = 1_000_000;

  private final LineStream in;
  private final String file;
  private final AvroSchema eventSchema;
  private AvroSchema current;

  /** Whether the value of {@link #current} has not been read yet. */
  private boolean pending;

  private int depth;
  private long elements;
  private long event;
  private boolean started;

  AvroEvents(LineStream in, String file, AvroSchema eventSchema) {
    this.in = in;
    this.file = file;
    this.eventSchema = eventSchema;
  }

  @Override
  public boolean next(Json.FieldReader reader) throws IOException {
    if (!started) {
      started = true;
      if (!in.restIsBinary()) {
        return false;
      }
    }
    int first = in.read();
    if (first < 0) {
      return false;
    }
    in.unread();
    event++;
    elements = 0;
    try {
      stand(eventSchema);
      eachField(reader);
    } catch (EOFException e) {
      throw new BadRowException(where() + ": is cut off, and the file with it", e);
    }
    if (!in.readOn()) {
      throw new BadRowException(where() + ": takes no byte, the schema on line 2 is damaged");
    }
    return true;
  }

  private void stand(AvroSchema schema) {
    current = schema;
    pending = true;
  }

  /** Calls a reader on a value and skips what it leaves. */
  private void offer(AvroSchema schema, String field, Json.FieldReader reader) throws IOException {
    if (++depth > NESTING_MAX || ++elements > ELEMENTS_MAX) {
      throw new BadRowException(where() + ": is nested too deeply or has too many elements");
    }
    stand(schema);
    reader.read(field);
    if (pending) {
      pending = false;
      skip(schema);
    }
    depth--;
  }

  @Override
  public void eachField(Json.FieldReader reader) throws IOException {
    AvroSchema schema = current;
    pending = false;
    if (schema.kind == Kind.UNION) {
      AvroSchema branch = branch(schema);
      if (branch.kind != Kind.NULL) {
        offer(branch, branch.name, reader);
      }
    } else if (schema.kind == Kind.RECORD) {
      for (int i = 0; i < schema.children.size(); i++) {
        offer(schema.children.get(i), schema.fieldNames.get(i), reader);
      }
    } else {
      throw new BadRowException(where() + ": has a " + schema.kind + " where a record must be");
    }
  }

  @Override
  public void eachElement(Json.FieldReader reader) throws IOException {
    AvroSchema schema = current;
    pending = false;
    if (schema.kind != Kind.ARRAY) {
      throw new BadRowException(where() + ": has a " + schema.kind + " where an array must be");
    }
    for (long left = blockLength(); left != 0; left = blockLength()) {
      for (; left > 0; left--) {
        offer(schema.children.get(0), "", reader);
      }
    }
  }

  /** Elements of the next block of an array or map; 0 after the last one. */
  private long blockLength() throws IOException {
    long length = readLong();
    if (length < 0) {
      // The block's size in bytes follows, for readers that skip it; we count elements.
      readLong();
      length = -length;
    }
    if (length < 0 || length > ELEMENTS_MAX) {
      throw new BadRowException(where() + ": has a block of " + length + " elements");
    }
    return length;
  }

  private AvroSchema branch(AvroSchema union) throws IOException {
    long index = readLong();
    if (index < 0 || index >= union.children.size()) {
      throw new BadRowException(where() + ": has branch " + index + " of a union, is damaged");
    }
    return union.children.get((int) index);
  }

  /** The type of the value at hand, with a union already decided. */
  private AvroSchema take() throws IOException {
    pending = false;
    return current.kind == Kind.UNION ? branch(current) : current;
  }

  @Override
  public long number(String field, long max) throws IOException {
    AvroSchema schema = take();
    if (schema.kind == Kind.NULL) {
      return 0;
    }
    if (schema.kind != Kind.INT && schema.kind != Kind.LONG) {
      throw new BadRowException(where() + ": " + field + " is a " + schema.kind + ", no number");
    }
    long value = readLong();
    if (value < -1 || value > max) {
      throw new BadRowException(
          where()
              + ": "
              + TraceException.quoted(field)
              + " is "
              + value
              + ", must be a whole number from 0 to "
              + max);
    }
    return Math.max(0, value);
  }

  @Override
  public String text() throws IOException {
    AvroSchema schema = take();
    if (schema.kind != Kind.STRING) {
      skip(schema);
      return "";
    }
    long length = readLong();
    if (length < 0 || length > TEXT_BYTES_MAX) {
      throw new BadRowException(where() + ": has a text of " + length + " bytes, is damaged");
    }
    byte[] bytes = in.readNBytes((int) length);
    if (bytes.length < length) {
      throw new EOFException();
    }
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private void skip(AvroSchema schema) throws IOException {
    if (++depth > NESTING_MAX || ++elements > ELEMENTS_MAX) {
      throw new BadRowException(where() + ": is nested too deeply or has too many elements");
    }
    switch (schema.kind) {
      case NULL -> {
        // Takes no byte.
      }
      case BOOLEAN -> in.skipNBytes(1);
      case INT, LONG, ENUM -> readLong();
      case FLOAT -> in.skipNBytes(4);
      case DOUBLE -> in.skipNBytes(8);
      case FIXED -> in.skipNBytes(schema.size);
      case BYTES, STRING -> skipText();
      case UNION -> skip(branch(schema));
      case RECORD -> {
        for (AvroSchema field : schema.children) {
          skip(field);
        }
      }
      case ARRAY, MAP -> {
        for (long left = blockLength(); left != 0; left = blockLength()) {
          for (; left > 0; left--) {
            if (schema.kind == Kind.MAP) {
              skipText();
            }
            skip(schema.children.get(0));
          }
        }
      }
    }
    depth--;
  }

  private void skipText() throws IOException {
    long length = readLong();
    if (length < 0) {
      throw new BadRowException(where() + ": has a text of " + length + " bytes, is damaged");
    }
    in.skipNBytes(length);
  }

  /** Variable length, seven bits a byte, lowest first, the sign in the lowest bit. */
  private long readLong() throws IOException {
    long bits = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      int next = in.read();
      if (next < 0) {
        throw new EOFException();
      }
      bits |= (next & 0x7fL) << shift;
      if (next < 0x80) {
        return (bits >>> 1) ^ -(bits & 1);
      }
    }
    throw new BadRowException(where() + ": has a number of more than ten bytes, is damaged");
  }

  @Override
  public String where() {
    return file + ": event " + event;
  }

  @Override
  public double progress() {
    return in.progress();
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
