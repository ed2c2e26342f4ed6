const x = __ftl.exports
const source = (...chunks) => {
  let n = 0
  const seen = []
  return [
    x.makeBodyStream(
      () => {
        seen.push('pull')
        const c = chunks[n++]
        return c instanceof Error ? Promise.reject(c) : Promise.resolve(c ?? null)
      },
      (r) => {
        seen.push(`cancel ${r}`)
      },
    ),
    seen,
  ]
}
const u8 = (...b) => new Uint8Array(b)
fact('readAll', await x.readAll(source(u8(1, 2), u8(3))[0]), [1, 2, 3])
fact('readAll of nothing', await x.readAll(source()[0]), [])
fact('readAll with an empty chunk', await x.readAll(source(u8(1), u8(), u8(2))[0]), [1, 2])
fact(
  'readAll of an error',
  await rejected(x.readAll(source(u8(1), new RangeError('r'))[0])),
  'RangeError',
)
fact(
  'readAll of a locked stream',
  await rejected(() => {
    const [s] = source(u8(1))
    s.getReader()
    return x.readAll(s)
  }),
  'TypeError',
)
fact(
  'readAll twice',
  await rejected(async () => {
    const [s] = source(u8(1))
    await x.readAll(s)
    return x.readAll(s)
  }),
  'TypeError',
)
fact('readAll of text', await rejected(x.readAll(ReadableStream.from(['a']))), 'TypeError')
fact(
  'readAll of an ArrayBuffer',
  await rejected(x.readAll(ReadableStream.from([new ArrayBuffer(1)]))),
  'TypeError',
)
fact(
  'readAll of a wrong chunk cancels',
  await (async () => {
    let c
    const s = new ReadableStream({
      pull(k) {
        k.enqueue(5)
      },
      cancel(r) {
        c = r.name
      },
    })
    await rejected(x.readAll(s))
    return c
  })(),
  'TypeError',
)
fact(
  'a stream is of bytes',
  await (async () => {
    const r = source(u8(1, 2, 3))[0].getReader({ mode: 'byob' })
    const { value } = await r.read(new Uint8Array(2))
    return [...value]
  })(),
  [1, 2],
)
fact(
  'a BYOB reader ends',
  await (async () => {
    const r = source(u8(1))[0].getReader({ mode: 'byob' })
    await r.read(new Uint8Array(2))
    return (await r.read(new Uint8Array(2))).done
  })(),
  true,
)
fact(
  'cancel',
  await (async () => {
    const [s, seen] = source(u8(1))
    await s.cancel('x')
    return seen.at(-1)
  })(),
  'cancel x',
)
fact(
  'not pulled before it is read',
  await (async () => {
    const [, seen] = source(u8(1))
    await jobs()
    return seen.length
  })(),
  0,
)
fact(
  'pulled once a read',
  await (async () => {
    const [s, seen] = source(u8(1), u8(2), u8(3))
    await s.getReader().read()
    await jobs()
    return seen.length
  })(),
  1,
)
fact(
  'isReadableStream',
  [
    x.isReadableStream(source()[0]),
    x.isReadableStream(new ReadableStream()),
    x.isReadableStream({}),
    x.isReadableStream(null),
    x.isReadableStream(5),
    x.isReadableStream(Object.create(ReadableStream.prototype)),
  ],
  [true, true, false, false, false, false],
)
fact(
  'lockedOrDisturbed',
  await (async () => {
    const [s] = source(u8(1))
    const a = x.lockedOrDisturbed(s)
    const r = s.getReader()
    const b = x.lockedOrDisturbed(s)
    await r.read()
    r.releaseLock()
    return [a, b, s.locked, x.lockedOrDisturbed(s)]
  })(),
  [false, true, false, true],
)
fact(
  'readerOf',
  await (async () => {
    const r = x.readerOf(source(u8(1), u8(2))[0])
    return [[...(await r.read())], [...(await r.read())], await r.read(), await r.read()]
  })(),
  [[1], [2], null, null],
)
fact(
  'readerOf cancel',
  await (async () => {
    const [s, seen] = source(u8(1))
    await x.readerOf(s).cancel('y')
    return seen.at(-1)
  })(),
  'cancel y',
)
fact(
  'readerOf a locked stream',
  thrown(() => {
    const [s] = source()
    s.getReader()
    x.readerOf(s)
  }),
  'TypeError',
)
fact(
  'tee',
  await (async () => {
    const [a, b] = x.tee(source(u8(1), u8(2))[0])
    return [await x.readAll(a), await x.readAll(b)]
  })(),
  [
    [1, 2],
    [1, 2],
  ],
)
fact(
  'pull that throws at once',
  await rejected(
    x.readAll(
      x.makeBodyStream(() => {
        throw new RangeError()
      }),
    ),
  ),
  'RangeError',
)
fact(
  '20,000 chunks',
  (
    await x.readAll(
      (() => {
        let n = 0
        return x.makeBodyStream(() => Promise.resolve(n++ < 20_000 ? u8(1) : null))
      })(),
    )
  ).length,
  20_000,
)
const c = new AbortController()
fact(
  'signalState',
  [x.signalState(c.signal), x.signalState({}), x.signalState(null), x.signalState(undefined)],
  [{ aborted: false }, undefined, undefined, undefined],
)
const heard = []
const end = x.onAbort(c.signal, (r) => heard.push(`a ${r}`))
x.onAbort(c.signal, (r) => heard.push(`b ${r}`))
end()
c.signal.addEventListener('abort', () => heard.push('event'))
c.abort('why')
x.onAbort(c.signal, (r) => heard.push(`late ${r}`))
fact('onAbort', heard, ['b why', 'event', 'late why'])
fact('signalState after', x.signalState(c.signal), { aborted: true, reason: 'why' })
fact(
  'newDOMException',
  [
    x.newDOMException('m', 'NetworkError').name,
    x.newDOMException('m', 'NetworkError').code,
    x.abortError().name,
  ],
  ['NetworkError', 19, 'AbortError'],
)
fact(
  'makeBlob',
  [
    x.makeBlob(u8(1, 2), 'A/B').type,
    x.makeBlob(u8(1, 2), '').size,
    x.isBlob(x.makeBlob(u8(), '')),
    x.isBlob({}),
    x.isBlob(null),
    x.isFormData(new FormData()),
    x.isFormData({}),
  ],
  ['a/b', 2, true, false, false, true, false],
)
fact(
  'newSignal and abortSignal',
  (() => {
    const s = x.newSignal()
    x.abortSignal(s, 5)
    return [s instanceof AbortSignal, s.aborted, s.reason]
  })(),
  [true, true, 5],
)
