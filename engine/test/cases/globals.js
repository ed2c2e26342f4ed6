const names = [
  'DOMException',
  'Event',
  'CustomEvent',
  'EventTarget',
  'AbortController',
  'AbortSignal',
  'ReadableStream',
  'ReadableStreamDefaultReader',
  'ReadableStreamBYOBReader',
  'ReadableStreamDefaultController',
  'ReadableByteStreamController',
  'ReadableStreamBYOBRequest',
  'WritableStream',
  'WritableStreamDefaultWriter',
  'WritableStreamDefaultController',
  'TransformStream',
  'TransformStreamDefaultController',
  'ByteLengthQueuingStrategy',
  'CountQueuingStrategy',
  'TextEncoderStream',
  'TextDecoderStream',
  'Blob',
  'File',
  'FormData',
]
for (const name of names) {
  const d = Object.getOwnPropertyDescriptor(globalThis, name)
  fact(
    `${name} is a global`,
    [typeof globalThis[name], d.enumerable, d.configurable, globalThis[name].name],
    ['function', false, true, name],
  )
  fact(
    `${name} has a tag`,
    globalThis[name].prototype[Symbol.toStringTag],
    name,
    /^Text/.test(name) ? { node: undefined } : undefined,
  )
  fact(
    `${name} is a class`,
    thrown(() => globalThis[name]()),
    'TypeError',
  )
  fact(
    `the prototype of ${name} is fixed`,
    Object.getOwnPropertyDescriptor(globalThis[name], 'prototype').writable,
    false,
  )
}
for (const name of ['structuredClone', 'queueMicrotask']) {
  const d = Object.getOwnPropertyDescriptor(globalThis, name)
  fact(
    `${name} is an operation`,
    [
      typeof globalThis[name],
      d.enumerable,
      d.writable,
      globalThis[name].name,
      globalThis[name].length,
    ],
    ['function', true, true, name, 1],
    name === 'structuredClone' ? { node: ['function', true, true, name, 2] } : undefined,
  )
  fact(
    `${name} needs an argument`,
    thrown(() => globalThis[name]()),
    'TypeError',
  )
}
fact(
  'queueMicrotask of a number',
  thrown(() => queueMicrotask(5)),
  'TypeError',
)
const order = []
queueMicrotask(() => order.push('micro'))
order.push('sync')
await jobs()
fact('queueMicrotask', order, ['sync', 'micro'])
fact(
  'console',
  [
    String(console),
    Object.getOwnPropertyDescriptor(globalThis, 'console').enumerable,
    Object.getOwnPropertyDescriptor(console, 'log').enumerable,
    console.log.name,
  ],
  ['[object console]', false, true, 'log'],
)
fact(
  'console methods',
  [
    'log',
    'info',
    'warn',
    'error',
    'debug',
    'trace',
    'dir',
    'dirxml',
    'table',
    'count',
    'countReset',
    'assert',
    'time',
    'timeEnd',
    'timeLog',
    'group',
    'groupCollapsed',
    'groupEnd',
    'clear',
  ].every((n) => typeof console[n] === 'function'),
  true,
)
fact('hidden', typeof __ftl, 'undefined')
