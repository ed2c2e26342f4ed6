import { readerOf } from './body.js'
import { provide } from './host.js'

/** Writes what a stream yields into a body of the host, as fast as the other side takes it. */
export async function pump(stream, writer) {
  const reader = readerOf(stream)
  try {
    for (let bytes = await reader.read(); bytes !== null; bytes = await reader.read()) {
      let written = writer.write(bytes)
      if (typeof written === 'object') written = await written
      if (!written) {
        // The other side has gone.
        await reader.cancel(new TypeError('The connection was closed'))
        return
      }
    }
  } catch (error) {
    writer.cut()
    throw error
  }
  writer.finish()
}

provide({ pump })
