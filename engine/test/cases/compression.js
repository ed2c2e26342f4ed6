const bytesOf = (base64) => Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))
const drain = async (s) => new Uint8Array(await new Response(s).arrayBuffer())
const through = (stream, ...chunks) => drain(ReadableStream.from(chunks).pipeThrough(stream))
const expand = (format, ...chunks) => through(new DecompressionStream(format), ...chunks)
const text = (bytes) => new TextDecoder().decode(bytes)

// Made by zlib and by Python's gzip.
const known = {
  gzip: bytesOf('H4sIAAAAAAACA/NIzcnJ11HIQKIUFTxGBQeTIACcFNSjpAEAAA=='),
  deflate: bytesOf('eJzzSM3JyddRyECiFBU8RgUHkyAArMyLJQ=='),
  'deflate-raw': bytesOf('80jNycnXUchAohQVPEYFB5MgAA=='),
}
const named = bytesOf('H4sICAEAAAAC/25hbWVkLnR4dAArzyzJUEhUyEvMTQUAjJuejQsAAAA=')
const hello = 'Hello, hello, hello! '.repeat(20)

for (const [format, bytes] of Object.entries(known)) {
  fact(`${format}: a stream of zlib`, text(await expand(format, bytes)), hello)
  fact(
    `${format}: byte by byte`,
    text(await expand(format, ...[...bytes].map((b) => new Uint8Array([b])))),
    hello,
  )
  fact(`${format}: cut off`, await rejected(expand(format, bytes.subarray(0, -1))), 'TypeError')
  fact(`${format}: nothing at all`, await rejected(expand(format)), 'TypeError')
  fact(
    `${format}: bytes after the end`,
    await rejected(expand(format, bytes, new Uint8Array([0]))),
    'TypeError',
  )
  fact(
    `${format}: other bytes`,
    await rejected(expand(format, new Uint8Array(64).fill(255))),
    'TypeError',
  )
  const data = new Uint8Array(300_000).map((_, i) => (i * i) % 251)
  const packed = await through(new CompressionStream(format), data.subarray(0, 7), data.subarray(7))
  const again = await expand(format, packed)
  fact(
    `${format}: there and back`,
    again.length === data.length && again.every((b, i) => b === data[i]),
    true,
  )
  fact(`${format}: it is smaller`, packed.length < 30_000, true)
  fact(
    `${format}: nothing becomes something`,
    (await expand(format, await through(new CompressionStream(format)))).length,
    0,
  )
}
const broken = new Uint8Array(known.gzip)
broken[broken.length - 6] ^= 1
fact('gzip: a wrong checksum', await rejected(expand('gzip', broken)), 'TypeError')
fact('gzip: a name in the header', text(await expand('gzip', named)), 'with a name')
fact(
  'a buffer and a view are chunks',
  text(await expand('gzip', named.buffer.slice(0, 20), new DataView(named.buffer, 20))),
  'with a name',
)
fact(
  'an empty chunk',
  text(await expand('gzip', new Uint8Array(0), named, new Uint8Array(0))),
  'with a name',
)
for (const chunk of ['text', 5, null, {}, [1]]) {
  const name = `no chunk: ${JSON.stringify(chunk)}`
  const node = chunk === 'text' ? { node: 'nothing' } : {}
  fact(name, await rejected(through(new CompressionStream('gzip'), chunk)), 'TypeError', node)
}
for (const format of ['brotli-9', '', 'GZIP', 5, null]) {
  fact(
    `no format: ${format}`,
    thrown(() => new CompressionStream(format)),
    'TypeError',
  )
  fact(
    `no format to expand: ${format}`,
    thrown(() => new DecompressionStream(format)),
    'TypeError',
  )
}
fact(
  'a format is needed',
  thrown(() => new CompressionStream()),
  'TypeError',
)
fact(
  'a format is text',
  new DecompressionStream({ toString: () => 'gzip' }) instanceof DecompressionStream,
  true,
)
fact('tag', String(new CompressionStream('gzip')), '[object CompressionStream]')
fact(
  'brand',
  thrown(() =>
    Object.getOwnPropertyDescriptor(CompressionStream.prototype, 'readable').get.call({}),
  ),
  'TypeError',
)
