const drain = async (s) => {
  const out = []
  for await (const c of s) out.push(c)
  return out
}
const decode = (chunks, ...options) =>
  drain(
    ReadableStream.from(chunks.map((c) => new Uint8Array(c))).pipeThrough(
      new TextDecoderStream(...options),
    ),
  )
fact(
  'a sequence over three chunks',
  (await decode([[240, 159], [152], [128, 97]])).join('|'),
  '\u{1f600}a',
)
fact('what is cut off at the end', (await decode([[97, 226, 130]])).join(''), 'a\ufffd')
fact('byte order mark', (await decode([[239], [187, 191, 97]])).join(''), 'a')
fact(
  'ignoreBOM',
  (await decode([[239, 187, 191, 97]], 'utf-8', { ignoreBOM: true })).join(''),
  '\ufeffa',
)
fact('fatal', await rejected(decode([[255]], 'utf-8', { fatal: true })), 'TypeError')
fact(
  'fatal at the end',
  await rejected(decode([[226, 130]], 'utf-8', { fatal: true })),
  'TypeError',
)
fact(
  'getters',
  (() => {
    const s = new TextDecoderStream('utf8', { fatal: true })
    return [s.encoding, s.fatal, s.ignoreBOM]
  })(),
  ['utf-8', true, false],
)
fact(
  'label',
  thrown(() => new TextDecoderStream('nonsense')),
  'RangeError',
)
