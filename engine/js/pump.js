/** Writes what a stream yields into a body of the host, as fast as the other side takes it. */
export async function pump(stream, writer) {
  const reader = stream.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      if (!(value instanceof Uint8Array)) throw new TypeError('a body stream must yield Uint8Array chunks')
      const written = writer.write(value)
      if (!(written === true || (await written))) {
        // The other side has gone.
        await reader.cancel()
        return
      }
    }
  } catch (error) {
    writer.cut()
    throw error
  }
  writer.finish()
}
