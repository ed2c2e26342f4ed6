// More memory than there is. Each ends with an error that says so, and the engine works afterwards.
ends('array buffer', () => new ArrayBuffer(2 ** 40))
ends('array buffer of 3 GiB', () => new ArrayBuffer(3 * 2 ** 30))
ends('resizable array buffer', () => new ArrayBuffer(1, { maxByteLength: 2 ** 40 }))
ends('typed array', () => new Float64Array(2 ** 31))
ends('repeat', () => 'a'.repeat(2 ** 29))
ends('repeat to 1 GiB', () => 'ab'.repeat(2 ** 29 - 1))
ends('padStart', () => 'a'.padStart(2 ** 30))
ends('string doubled', () => {
  let s = 'abcdefgh'
  for (;;) s += s
})
ends('string doubled and flattened', () => {
  let s = 'abcdefgh'
  for (;;) {
    s += s
    s.charCodeAt(3)
    s = s.slice(1) + s
  }
})
ends('array doubled', () => {
  let a = [1]
  for (;;) a = a.concat(a)
})
ends('array of great length', () => new Array(2 ** 32 - 1).fill(1))
ends('sparse array', () => {
  const a = []
  a[2 ** 32 - 2] = 1
  return a.toSorted().length
})
ends('join of a sparse array', () => new Array(2 ** 24).join('ab'.repeat(1000)))
ends('push', () => {
  const a = []
  for (;;) a.push({ a: [1, 2, 3] })
})
ends('array buffers', () => {
  const a = []
  for (;;) a.push(new Uint8Array(1 << 20))
})
ends('small array buffers', () => {
  const a = []
  for (;;) a.push(new Uint8Array(100))
})
ends('strings', () => {
  const a = []
  for (let n = 0; ; n += 1) a.push(`text ${n}`.repeat(100))
})
ends('map', () => {
  const m = new Map()
  for (let n = 0; ; n += 1) m.set({ n }, [n])
})
ends('closures', () => {
  let f = () => 1
  for (;;) {
    const g = f
    f = () => g
  }
})
ends('properties', () => {
  const o = {}
  for (let n = 0; ; n += 1) o[`p${n}`] = n
})
ends('symbols', () => {
  const o = []
  for (let n = 0; ; n += 1) o.push(Symbol(`p${n}`))
})
ends('functions from text', () => {
  const held = new Uint8Array(64 << 20)
  const o = []
  for (let n = 0; ; n += 1) o.push(new Function(`return ${n}`))
})
ends('regular expressions', () => {
  const held = new Uint8Array(64 << 20)
  const o = []
  for (let n = 0; ; n += 1) o.push(new RegExp(`a${n}`.repeat(20)))
})
ends('big integer', () => {
  let n = 2n
  for (;;) n *= n
})
ends('big integer shifted', () => 1n << (2n ** 40n))
ends('errors', () => {
  const held = new Uint8Array(64 << 20)
  const o = []
  for (let n = 0; ; n += 1) o.push(new Error('x'))
})
ends('JSON', () => {
  // So that its text, and not the time, is what there is no room for.
  const held = new Uint8Array(80 << 20)
  let v = ['x'.repeat(100)]
  for (let n = 0; n < 18; n += 1) v = [v, v]
  return JSON.stringify(v).length + held.length
})
ends('split', () => 'a'.repeat(2 ** 27).split(''))
ends('proxy keys', () => Object.keys(new Proxy({}, { ownKeys: () => ({ length: 2 ** 32 }) })))
ends('promises', () => {
  const a = []
  for (;;) a.push(new Promise(() => {}))
})
await settles('a stream that expands to 120 MiB', async () => {
  const zeros = new Uint8Array(1 << 20)
  const packed = new CompressionStream('gzip')
  const writer = packed.writable.getWriter()
  const written = (async () => {
    for (let n = 0; n < 120; n += 1) await writer.write(zeros)
    await writer.close()
  })()
  const small = await new Response(packed.readable).arrayBuffer()
  await written
  const chunks = []
  for await (const chunk of new Response(small).body.pipeThrough(new DecompressionStream('gzip')))
    chunks.push(chunk)
})
ends('works afterwards', () => JSON.stringify(JSON.parse('{"a":[1,2,3]}')))
