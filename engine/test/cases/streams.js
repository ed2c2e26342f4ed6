const drain = async (s) => {
  const out = []
  for await (const c of s) out.push(c)
  return out
}
const list = (...items) =>
  new ReadableStream({
    start(c) {
      for (const i of items) c.enqueue(i)
      c.close()
    },
  })
fact('read all', await drain(list(1, 2, 3)), [1, 2, 3])
fact(
  'reader',
  await (async () => {
    const r = list(1).getReader()
    const a = await r.read()
    const b = await r.read()
    await r.closed
    return [a.value, a.done, b.done, b.value]
  })(),
  [1, false, true, undefined],
)
fact(
  'locked',
  (() => {
    const s = list(1)
    const a = s.locked
    const r = s.getReader()
    const b = s.locked
    r.releaseLock()
    return [a, b, s.locked]
  })(),
  [false, true, false],
)
fact(
  'two readers',
  (() => {
    const s = list(1)
    s.getReader()
    return thrown(() => s.getReader())
  })(),
  'TypeError',
)
fact(
  'read after release',
  await (async () => {
    const r = list(1).getReader()
    r.releaseLock()
    return [await rejected(r.read()), await rejected(r.closed)]
  })(),
  ['TypeError', 'TypeError'],
)
fact(
  'pending read at release',
  await (async () => {
    const s = new ReadableStream()
    const r = s.getReader()
    const p = r.read()
    r.releaseLock()
    return rejected(p)
  })(),
  'TypeError',
)
fact(
  'cancel',
  await (async () => {
    let why
    const s = new ReadableStream({
      cancel(r) {
        why = r
      },
    })
    await s.cancel('x')
    return [why, (await s.getReader().read()).done]
  })(),
  ['x', true],
)
fact(
  'cancel of a locked stream',
  await (async () => {
    const s = list(1)
    s.getReader()
    return rejected(s.cancel())
  })(),
  'TypeError',
)
fact(
  'error',
  await (async () => {
    const s = new ReadableStream({
      start(c) {
        c.error(new RangeError('r'))
      },
    })
    return rejected(s.getReader().read())
  })(),
  'RangeError',
)
fact(
  'start that throws',
  thrown(
    () =>
      new ReadableStream({
        start() {
          throw new RangeError()
        },
      }),
  ),
  'RangeError',
)
fact(
  'pull that throws',
  await rejected(
    new ReadableStream({
      pull() {
        throw new RangeError()
      },
    })
      .getReader()
      .read(),
  ),
  'RangeError',
)
fact(
  'pull that rejects',
  await rejected(
    new ReadableStream({ pull: () => Promise.reject(new RangeError()) }).getReader().read(),
  ),
  'RangeError',
)
fact(
  'enqueue after close',
  thrown(
    () =>
      new ReadableStream({
        start(c) {
          c.close()
          c.enqueue(1)
        },
      }),
  ),
  'TypeError',
)
fact(
  'close twice',
  thrown(
    () =>
      new ReadableStream({
        start(c) {
          c.close()
          c.close()
        },
      }),
  ),
  'TypeError',
)
fact(
  'desiredSize',
  (() => {
    const out = []
    new ReadableStream({
      start(c) {
        out.push(c.desiredSize)
        c.enqueue('a')
        out.push(c.desiredSize)
        c.close()
        out.push(c.desiredSize)
      },
    })
    return out
  })(),
  [1, 0, 0],
)
fact(
  'highWaterMark',
  (() => {
    let d
    new ReadableStream(
      {
        start(c) {
          d = c.desiredSize
        },
      },
      { highWaterMark: 5 },
    )
    return d
  })(),
  5,
)
fact(
  'size',
  (() => {
    let d
    new ReadableStream(
      {
        start(c) {
          c.enqueue('abc')
          d = c.desiredSize
        },
      },
      { highWaterMark: 5, size: (x) => x.length },
    )
    return d
  })(),
  2,
)
fact(
  'bad highWaterMark',
  [
    thrown(() => new ReadableStream({}, { highWaterMark: -1 })),
    thrown(() => new ReadableStream({}, { highWaterMark: NaN })),
  ],
  ['RangeError', 'RangeError'],
)
fact(
  'strategies',
  [
    new CountQueuingStrategy({ highWaterMark: 3 }).highWaterMark,
    new CountQueuingStrategy({ highWaterMark: 3 }).size('abc'),
    new ByteLengthQueuingStrategy({ highWaterMark: 3 }).size(new Uint8Array(7)),
    thrown(() => new CountQueuingStrategy()),
  ],
  [3, 1, 7, 'TypeError'],
)
fact(
  'bad type',
  [
    thrown(() => new ReadableStream({ type: 'x' })),
    thrown(() => new ReadableStream(null)),
    thrown(() => list(1).getReader({ mode: 'x' })),
  ],
  ['TypeError', 'TypeError', 'TypeError'],
)
fact(
  'pulled as needed',
  await (async () => {
    let n = 0
    const s = new ReadableStream({
      pull(c) {
        c.enqueue(++n)
      },
    })
    const r = s.getReader()
    await r.read()
    await r.read()
    await jobs()
    return n
  })(),
  3,
)
fact(
  'not pulled at 0',
  await (async () => {
    let n = 0
    new ReadableStream(
      {
        pull() {
          n++
        },
      },
      { highWaterMark: 0 },
    )
    await jobs()
    return n
  })(),
  0,
)
fact(
  'tee',
  await (async () => {
    const [a, b] = list(1, 2).tee()
    return [await drain(a), await drain(b)]
  })(),
  [
    [1, 2],
    [1, 2],
  ],
)
fact(
  'tee locks',
  (() => {
    const s = list(1)
    s.tee()
    return s.locked
  })(),
  true,
)
fact(
  'tee cancel',
  await (async () => {
    let why
    const s = new ReadableStream({
      cancel(r) {
        why = r
      },
    })
    const [a, b] = s.tee()
    const p = a.cancel('x')
    await jobs()
    const before = why
    await Promise.all([p, b.cancel('y')])
    return [before, why]
  })(),
  [undefined, ['x', 'y']],
)
fact(
  'from',
  [
    await drain(ReadableStream.from([1, 2])),
    await drain(ReadableStream.from(new Set(['a']))),
    await drain(
      ReadableStream.from(
        (async function* () {
          yield 5
        })(),
      ),
    ),
    await drain(ReadableStream.from('ab')),
  ],
  [[1, 2], ['a'], [5], ['a', 'b']],
)
fact(
  'from of a number',
  [
    thrown(() => ReadableStream.from(5)),
    thrown(() => ReadableStream.from({})),
    thrown(() => ReadableStream.from(null)),
  ],
  ['TypeError', 'TypeError', 'TypeError'],
)
fact('from a stream', await drain(ReadableStream.from(list(1, 2))), [1, 2])
fact(
  'from that throws',
  await rejected(
    drain(
      ReadableStream.from(
        (function* () {
          yield 1
          throw new RangeError()
        })(),
      ),
    ),
  ),
  'RangeError',
)
fact(
  'break cancels',
  await (async () => {
    let c = false
    const s = new ReadableStream({
      pull(k) {
        k.enqueue(1)
      },
      cancel() {
        c = true
      },
    })
    for await (const x of s) {
      void x
      break
    }
    return [c, s.locked]
  })(),
  [true, false],
)
fact(
  'preventCancel',
  await (async () => {
    let c = false
    const s = new ReadableStream({
      pull(k) {
        k.enqueue(1)
      },
      cancel() {
        c = true
      },
    })
    for await (const x of s.values({ preventCancel: true })) {
      void x
      break
    }
    return [c, s.locked]
  })(),
  [false, false],
)
fact(
  'asyncIterator is values',
  ReadableStream.prototype[Symbol.asyncIterator] === ReadableStream.prototype.values,
  true,
)

const bytes = (...chunks) =>
  new ReadableStream({
    type: 'bytes',
    start(c) {
      for (const k of chunks) c.enqueue(new Uint8Array(k))
      c.close()
    },
  })
fact('byte stream', await drain(bytes([1, 2], [3])), [[1, 2], [3]])
fact(
  'byob',
  await (async () => {
    const r = bytes([1, 2, 3]).getReader({ mode: 'byob' })
    const a = await r.read(new Uint8Array(2))
    const b = await r.read(new Uint8Array(2))
    return [[...a.value], [...b.value], b.done]
  })(),
  [[1, 2], [3], false],
)
fact(
  'byob detaches',
  await (async () => {
    const r = bytes([1, 2, 3]).getReader({ mode: 'byob' })
    const v = new Uint8Array(2)
    await r.read(v)
    return v.byteLength
  })(),
  0,
)
fact(
  'byob min',
  await (async () => {
    const r = bytes([1], [2], [3]).getReader({ mode: 'byob' })
    const { value } = await r.read(new Uint8Array(4), { min: 2 })
    return value.length >= 2
  })(),
  true,
)
fact(
  'byob of other views',
  await (async () => {
    const r = bytes([1, 0, 2, 0]).getReader({ mode: 'byob' })
    const { value } = await r.read(new Uint16Array(2))
    return [value.constructor.name, [...value]]
  })(),
  ['Uint16Array', [1, 2]],
)
fact(
  'byob of an empty view',
  await rejected(bytes([1]).getReader({ mode: 'byob' }).read(new Uint8Array(0))),
  'TypeError',
)
fact(
  'byob of no view',
  await rejected(bytes([1]).getReader({ mode: 'byob' }).read({})),
  'TypeError',
)
fact(
  'byob of a default stream',
  thrown(() => list(1).getReader({ mode: 'byob' })),
  'TypeError',
)
fact(
  'byobRequest',
  await (async () => {
    const s = new ReadableStream({
      type: 'bytes',
      pull(c) {
        const v = c.byobRequest.view
        v[0] = 7
        c.byobRequest.respond(1)
      },
    })
    const r = s.getReader({ mode: 'byob' })
    const { value } = await r.read(new Uint8Array(3))
    return [...value]
  })(),
  [7],
)
fact(
  'autoAllocateChunkSize',
  await (async () => {
    const s = new ReadableStream({
      type: 'bytes',
      autoAllocateChunkSize: 16,
      pull(c) {
        const v = c.byobRequest.view
        v[0] = 7
        c.byobRequest.respond(1)
      },
    })
    const { value } = await s.getReader().read()
    return [value.length, value.buffer.byteLength]
  })(),
  [1, 16],
)
fact(
  'byte controller refuses text',
  thrown(
    () =>
      new ReadableStream({
        type: 'bytes',
        start(c) {
          c.enqueue('a')
        },
      }),
  ),
  'TypeError',
)
fact(
  'byte controller refuses empty',
  thrown(
    () =>
      new ReadableStream({
        type: 'bytes',
        start(c) {
          c.enqueue(new Uint8Array(0))
        },
      }),
  ),
  'TypeError',
)
fact(
  'enqueue transfers',
  (() => {
    const v = new Uint8Array(2)
    new ReadableStream({
      type: 'bytes',
      start(c) {
        c.enqueue(v)
      },
    })
    return v.byteLength
  })(),
  0,
)
fact(
  'byte tee',
  await (async () => {
    const [a, b] = bytes([1, 2]).tee()
    return [await drain(a), await drain(b)]
  })(),
  [[[1, 2]], [[1, 2]]],
)

const sink = () => {
  const out = []
  return [
    out,
    new WritableStream({
      write(c) {
        out.push(c)
      },
      close() {
        out.push('close')
      },
      abort(r) {
        out.push(`abort ${r}`)
      },
    }),
  ]
}
fact(
  'writer',
  await (async () => {
    const [out, w] = sink()
    const k = w.getWriter()
    await k.write(1)
    await k.close()
    return out
  })(),
  [1, 'close'],
)
fact(
  'writer desiredSize',
  (() => {
    const k = new WritableStream({}, { highWaterMark: 2 }).getWriter()
    const a = k.desiredSize
    k.write(1)
    return [a, k.desiredSize]
  })(),
  [2, 1],
)
fact(
  'ready is back-pressure',
  await (async () => {
    let done
    const w = new WritableStream({ write: () => new Promise((r) => (done = r)) })
    const k = w.getWriter()
    await k.ready
    k.write(1)
    await jobs()
    let ready = false
    k.ready.then(() => (ready = true))
    await jobs()
    const a = ready
    done()
    await jobs()
    return [a, ready]
  })(),
  [false, true],
)
fact(
  'abort',
  await (async () => {
    const [out, w] = sink()
    await w.abort('x')
    return [out, await rejected(w.getWriter().write(1))]
  })(),
  [['abort x'], 'thrown x'],
)
fact(
  'write after close',
  await (async () => {
    const [, w] = sink()
    const k = w.getWriter()
    k.close()
    return rejected(k.write(1))
  })(),
  'TypeError',
)
fact(
  'write that fails',
  await (async () => {
    const w = new WritableStream({
      write() {
        throw new RangeError()
      },
    })
    const k = w.getWriter()
    k.closed.catch(() => {})
    k.ready.catch(() => {})
    return [await rejected(k.write(1)), await rejected(k.write(2))]
  })(),
  ['RangeError', 'RangeError'],
)
fact(
  'signal of the controller',
  await (async () => {
    let s
    const w = new WritableStream({
      start(c) {
        s = c.signal
      },
    })
    const a = s.aborted
    await w.abort('r')
    return [a, s.aborted, s.reason]
  })(),
  [false, true, 'r'],
)
fact(
  'two writers',
  (() => {
    const [, w] = sink()
    w.getWriter()
    return thrown(() => w.getWriter())
  })(),
  'TypeError',
)
fact(
  'sink type',
  thrown(() => new WritableStream({ type: 'x' })),
  'RangeError',
)

const upper = () =>
  new TransformStream({
    transform(c, k) {
      k.enqueue(c.toUpperCase())
    },
    flush(k) {
      k.enqueue('.')
    },
  })
fact('pipeThrough', await drain(list('a', 'b').pipeThrough(upper())), ['A', 'B', '.'])
fact('identity', await drain(list(1, 2).pipeThrough(new TransformStream())), [1, 2])
fact(
  'transform that throws',
  await rejected(
    drain(
      list(1).pipeThrough(
        new TransformStream({
          transform() {
            throw new RangeError()
          },
        }),
      ),
    ),
  ),
  'RangeError',
)
fact(
  'terminate',
  await drain(
    list(1, 2, 3).pipeThrough(
      new TransformStream({
        transform(c, k) {
          k.enqueue(c)
          k.terminate()
        },
      }),
    ),
  ),
  [1],
)
fact(
  'transform cancel',
  await (async () => {
    let c
    const t = new TransformStream({
      cancel(r) {
        c = r
      },
    })
    await t.readable.cancel('x')
    return c
  })(),
  'x',
)
fact(
  'transform types',
  [
    thrown(() => new TransformStream({ readableType: 'x' })),
    thrown(() => new TransformStream({ writableType: 'x' })),
  ],
  ['RangeError', 'RangeError'],
)
fact(
  'pipeTo',
  await (async () => {
    const [out, w] = sink()
    await list(1, 2).pipeTo(w)
    return out
  })(),
  [1, 2, 'close'],
)
fact(
  'pipeTo preventClose',
  await (async () => {
    const [out, w] = sink()
    await list(1).pipeTo(w, { preventClose: true })
    return [out, w.locked]
  })(),
  [[1], false],
)
fact(
  'pipeTo with an error',
  await (async () => {
    const [out, w] = sink()
    const s = new ReadableStream({
      start(c) {
        c.error('e')
      },
    })
    return [await rejected(s.pipeTo(w)), out]
  })(),
  ['thrown e', ['abort e']],
)
fact(
  'pipeTo aborted before',
  await (async () => {
    const [out, w] = sink()
    let c
    const s = new ReadableStream({
      cancel(r) {
        c = r.name
      },
    })
    return [await rejected(s.pipeTo(w, { signal: AbortSignal.abort() })), c, out.length]
  })(),
  ['DOMException AbortError', 'AbortError', 1],
)
fact(
  'pipeTo aborted later',
  await (async () => {
    const [out, w] = sink()
    const a = new AbortController()
    const s = new ReadableStream({})
    const p = s.pipeTo(w, { signal: a.signal })
    await jobs()
    a.abort('why')
    return [await rejected(p), out]
  })(),
  ['thrown why', ['abort why']],
)
fact(
  'pipeTo of a locked stream',
  await (async () => {
    const s = list(1)
    s.getReader()
    return rejected(s.pipeTo(new WritableStream()))
  })(),
  'TypeError',
)
fact('pipeTo to nothing', await rejected(list(1).pipeTo()), 'TypeError', {
  engine: "thrown Parameter 1 is required in 'pipeTo'.",
})
fact('bad signal', await rejected(list(1).pipeTo(new WritableStream(), { signal: 5 })), 'TypeError')
fact(
  'pipeThrough locks',
  (() => {
    const s = list(1)
    s.pipeThrough(new TransformStream())
    return s.locked
  })(),
  true,
)

const encode = (...texts) => drain(list(...texts).pipeThrough(new TextEncoderStream()))
fact('TextEncoderStream', await encode('a', 'é'), [[97], [195, 169]])
fact('a pair over two chunks', await encode('\ud83d', '\ude00'), [[240, 159, 152, 128]])
fact('a lone half at the end', await encode('a\ud83d'), [[97], [239, 191, 189]])
fact('a lone half in front', await encode('\ud83d', 'a'), [[239, 191, 189, 97]])
fact('not text', await encode(5, null), [[53], [110, 117, 108, 108]])
fact(
  'encoding',
  [new TextEncoderStream().encoding, String(new TextEncoderStream())],
  ['utf-8', '[object TextEncoderStream]'],
  { node: ['utf-8', '[object Object]'] },
)
fact(
  'TextDecoderStream',
  await drain(
    list(new Uint8Array([97, 98]), new Uint8Array([99])).pipeThrough(new TextDecoderStream()),
  ),
  ['ab', 'c'],
)
fact(
  'TextDecoderStream of text',
  await rejected(drain(list('a').pipeThrough(new TextDecoderStream()))),
  'TypeError',
)
fact(
  '10,000 chunks',
  await (async () => {
    let n = 0
    const s = new ReadableStream({
      pull(c) {
        if (n++ < 10_000) c.enqueue(n)
        else c.close()
      },
    })
    let sum = 0
    for await (const x of s) sum += x
    return sum
  })(),
  50_005_000,
)
fact(
  '100,000 queued',
  await (async () => {
    const s = new ReadableStream({
      start(c) {
        for (let i = 0; i < 100_000; i++) c.enqueue(i)
        c.close()
      },
    })
    const r = s.getReader()
    let n = 0
    while (!(await r.read()).done) n++
    return n
  })(),
  100_000,
)
