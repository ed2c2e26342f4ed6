const make = (init, url = 'http://a.test/') => new Request(url, init)
const shown = [
  ...['mode', 'credentials', 'cache', 'redirect', 'referrer', 'referrerPolicy', 'integrity'],
  ...['keepalive', 'destination', 'duplex'],
]
const parts = (request) => shown.map((name) => request[name])
const plain = [
  'cors',
  'same-origin',
  'default',
  'follow',
  'about:client',
  '',
  '',
  false,
  '',
  'half',
]
fact('the options of a request without any', parts(make()), plain)
const all = {
  mode: 'same-origin',
  credentials: 'include',
  cache: 'only-if-cached',
  redirect: 'manual',
  referrer: '',
  referrerPolicy: 'origin',
  integrity: 'sha256-x',
  keepalive: true,
}
const given = [
  ...['same-origin', 'include', 'only-if-cached', 'manual'],
  ...['', 'origin', 'sha256-x', true, '', 'half'],
]
fact('options that are given', parts(make(all)), given)
fact('a request made of one keeps them', parts(new Request(make(all))), given)
fact('a clone keeps them', parts(make(all).clone()), given)
fact(
  'options that are given again',
  parts(new Request(make(all), { cache: 'reload', redirect: 'error' })).slice(0, 4),
  ['same-origin', 'include', 'reload', 'error'],
)
for (const [name, value] of [
  ['mode', 'navigate'],
  ['mode', 'other'],
  ['credentials', 'other'],
  ['cache', 'other'],
  ['cache', 'only-if-cached'],
  ['redirect', 'other'],
  ['referrerPolicy', 'other'],
  ['referrer', 'http://:x'],
  ['priority', 'other'],
  ['duplex', 'full'],
  ['window', {}],
]) {
  fact(
    `${name}: ${value}`,
    thrown(() => make({ [name]: value })),
    'TypeError',
  )
}
fact(
  'no-cors and PUT',
  thrown(() => make({ mode: 'no-cors', method: 'PUT' })),
  'TypeError',
)
fact('priority is only checked', 'priority' in make({ priority: 'high' }), false)

{
  const controller = new AbortController()
  const request = make({ signal: controller.signal })
  fact('the signal is one of its own', request.signal === controller.signal, false)
  fact('the signal is the same each time', request.signal === request.signal, true)
  const copy = request.clone()
  fact('a clone has another signal', copy.signal === request.signal, false)
  let events = 0
  request.signal.addEventListener('abort', () => events++)
  controller.abort('why')
  fact(
    'the signals follow the one that was given',
    [request.signal, copy.signal, new Request(request).signal].map((s) => [s.aborted, s.reason]),
    [
      [true, 'why'],
      [true, 'why'],
      [true, 'why'],
    ],
  )
  fact('an event for each', events, 1)
  fact('a signal that nothing follows', make().signal.aborted, false)
}

const load = async (url, init) => {
  const response = await fetch(url, init)
  return [response.status, response.headers.get('content-type'), await response.text()]
}
fact('data: plain', await load('data:,a%20b'), [200, 'text/plain;charset=US-ASCII', 'a b'])
fact('data: without the fragment', await load('data:,a#b'), [
  200,
  'text/plain;charset=US-ASCII',
  'a',
])
fact('data: a type', await load('data: TEXT/html;Charset=UTF-8 ,é'), [
  200,
  'text/html;charset=UTF-8',
  'é',
])
fact('data: parameters only', await load('data:;x=y,1'), [200, 'text/plain;x=y', '1'])
fact('data: a type that is none', await load('data:x,1'), [200, 'text/plain;charset=US-ASCII', '1'])
fact('data: Base64', await load('data:text/plain; base64,YWI%3D'), [200, 'text/plain', 'ab'])
fact('data: Base64 with spaces', await load('data:;base64, Y W I '), [
  200,
  'text/plain;charset=US-ASCII',
  'ab',
])
fact('data: all bytes', (await (await fetch('data:;base64,AP+A')).bytes())[1], 255)
fact('data: the address', (await fetch('data:,a')).url, 'data:,a')
fact('data: the type of the response', (await fetch('data:,a')).type, 'basic')
fact('data: HEAD has no body', (await load('data:,a', { method: 'HEAD' }))[2], '')
fact('data: no comma', await rejected(fetch('data:text/plain')), 'TypeError')
fact('data: wrong Base64', await rejected(fetch('data:;base64,Y')), 'TypeError')
{
  const signal = AbortSignal.abort()
  fact('data: aborted', await rejected(fetch('data:,a', { signal })), 'DOMException AbortError')
}

// Of "a".
const digests = { sha256: 'ypeBEsobvcr6wjGzmiPcTaeG7/gUfE5yuYB3ha/uSLs=' }
for (const [name, integrity, wanted] of [
  ['right', `sha256-${digests.sha256}`, 'a'],
  ['without padding', `sha256-${digests.sha256.slice(0, -1)}`, 'a'],
  ['with an option', `sha256-${digests.sha256}?x`, 'a'],
  ['one of two', `sha256-AAAA sha256-${digests.sha256}`, 'a'],
  ['wrong', 'sha256-AAAA', 'TypeError'],
  ['only the strongest counts', `sha256-${digests.sha256} sha512-AAAA`, 'TypeError'],
  ['an unknown algorithm', 'md5-AAAA', 'a'],
  ['an unknown one beside a known one', 'md5-AAAA sha256-AAAA', 'TypeError'],
]) {
  const load = async () => (await fetch('data:,a', { integrity })).text()
  fact(`integrity: ${name}`, await load().catch((error) => error.name), wanted)
}
{
  const trace = []
  const record = new Proxy(
    { b: '1', a: '2' },
    {
      ownKeys: (target) => (trace.push('keys'), Reflect.ownKeys(target)),
      get: (target, key) => (trace.push(`get ${String(key)}`), target[key]),
      getOwnPropertyDescriptor: (target, key) => {
        trace.push(`describe ${String(key)}`)
        return Reflect.getOwnPropertyDescriptor(target, key)
      },
    },
  )
  const names = [...new Headers(record).keys()]
  fact(
    'a record is asked in the order of its fields',
    [...names, ...trace],
    [
      ...['a', 'b', 'get Symbol(Symbol.iterator)', 'keys'],
      ...['describe b', 'get b', 'describe a', 'get a'],
    ],
  )
}
{
  const chunk = Uint8Array.of(1)
  const response = new Response(
    new ReadableStream({
      start(controller) {
        controller.enqueue(chunk)
        controller.close()
      },
    }),
  )
  const copy = response.clone()
  const { value } = await response.body.getReader().read()
  value[0] = 9
  fact('a clone has chunks of its own', [...(await copy.bytes())], [1])
}
