/** What comes out of a part of the compressed data, before the next one is written. */
async function firstOutput(format, parts) {
  const stream = new DecompressionStream(format)
  const [writer, reader] = [stream.writable.getWriter(), stream.readable.getReader()]
  let text = ''
  for (const part of parts) writer.write(part).catch(() => {})
  while (text.length < 15) text += new TextDecoder().decode((await reader.read()).value)
  return text
}
const raw = [75, 173, 40, 72, 77, 46, 73, 77, 81, 200, 47, 45, 41, 40, 45, 1, 0]
const zlib = [120, 156, ...raw, 48, 173, 6, 36]
// A header with extra data, a name, a comment and a checksum.
const full = [31, 139, 8, 30, 0, 0, 0, 0, 0, 3, 2, 0, 1, 2, 110, 0, 99, 0]
const start = [31, 139, 8, 0, 0, 0, 0, 0, 0, 3]
const trailer = [176, 1, 57, 179, 15, 0, 0, 0]
const gzip = [...start, ...raw, ...trailer]
const bytesOf = (...values) => Uint8Array.from(values)
for (const [format, data] of Object.entries({ gzip, deflate: zlib, 'deflate-raw': raw })) {
  fact(
    `${format}: output is there before the end`,
    await firstOutput(format, [bytesOf(...data)]),
    'expected output',
  )
  fact(
    `${format}: byte by byte`,
    await firstOutput(
      format,
      data.map((byte) => bytesOf(byte)),
    ),
    'expected output',
  )
}
async function inflated(format, ...parts) {
  const stream = new DecompressionStream(format)
  const writer = stream.writable.getWriter()
  for (const part of parts) writer.write(part).catch(() => {})
  writer.close().catch(() => {})
  return new Response(stream.readable).text()
}
{
  // FHCRC is only skipped, so that its two bytes may be anything.
  const withoutCheck = [...full.slice(0, 3), 28, ...full.slice(4)]
  fact(
    'gzip: a header with all its parts',
    await inflated('gzip', bytesOf(...withoutCheck, ...raw, ...trailer)),
    'expected output',
  )
  for (const at of [1, 3, 11, 14, 16, 18, 40]) {
    const all = [...withoutCheck, ...raw, ...trailer]
    fact(
      `gzip: cut at ${at}`,
      await inflated('gzip', bytesOf(...all.slice(0, at)), bytesOf(...all.slice(at))),
      'expected output',
    )
  }
}
for (const [name, data] of Object.entries({
  'the checksum differs': [...start, ...raw, 0, ...trailer.slice(1)],
  'the length differs': [...start, ...raw, ...trailer.slice(0, 4), 16, 0, 0, 0],
  'the trailer is cut': gzip.slice(0, -1),
  'the header is cut': gzip.slice(0, 9),
  'a reserved flag': [31, 139, 8, 0x20, ...gzip.slice(4)],
  'another method': [31, 139, 7, ...gzip.slice(3)],
  'bytes after the end': [...gzip, 0],
  nothing: [],
})) {
  fact(`gzip: ${name}`, await rejected(inflated('gzip', bytesOf(...data))), 'TypeError')
}
{
  const large = 'a'.repeat(3_000_000)
  const packed = new Response(new Blob([large]).stream().pipeThrough(new CompressionStream('gzip')))
  const small = await packed.bytes()
  fact('gzip: much from little', (await inflated('gzip', small)).length, 3_000_000)
}
