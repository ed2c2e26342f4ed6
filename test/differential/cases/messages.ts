/** Requests that exist in both eras, good and odd: method and params, without what an era adds. */

export interface Message {
  /** Part of the case's id. */
  name: string
  method: string
  params?: Readonly<Record<string, unknown>>
}

const ref = { prompt: { type: 'ref/prompt', name: 'greet' } }
const template = { type: 'ref/resource', uri: 'test://items/{id}' }
const argument = { name: 'name', value: 'A' }

export const MESSAGES: readonly Message[] = [
  list('tools'),
  list('prompts'),
  list('resources'),
  list('resources/templates'),
  ...['tools', 'prompts', 'resources', 'resources/templates'].flatMap((kind) => [
    { ...list(kind, { cursor: 'never given out' }), name: `${kind}-list-foreign-cursor` },
    { ...list(kind, { cursor: 5 }), name: `${kind}-list-cursor-number` },
  ]),
  { ...list('tools', { unknown: true }), name: 'tools-list-extra-member' },
  call('good', { name: 'echo', arguments: { message: 'Hi' } }),
  call('unicode', { name: 'echo', arguments: { message: 'Grüße 🎉 \u2028' } }),
  call('proto-argument', {
    name: 'echo',
    arguments: JSON.parse('{"message":"x","__proto__":{"a":1}}') as object,
  }),
  call('structured', { name: 'add', arguments: { a: 2, b: 3 } }),
  call('failing', { name: 'fails', arguments: {} }),
  call('no-arguments', { name: 'fails' }),
  call('missing-argument', { name: 'echo', arguments: {} }),
  call('missing-arguments', { name: 'echo' }),
  call('wrong-argument-type', { name: 'echo', arguments: { message: 5 } }),
  call('extra-argument-allowed', { name: 'echo', arguments: { message: 'a', more: 1 } }),
  call('extra-argument-forbidden', { name: 'add', arguments: { a: 1, b: 2, c: 3 } }),
  call('arguments-array', { name: 'echo', arguments: [] }),
  call('arguments-string', { name: 'echo', arguments: 'x' }),
  call('arguments-null', { name: 'fails', arguments: null }),
  call('unknown', { name: 'nobody', arguments: {} }),
  call('unknown-constructor', { name: 'constructor', arguments: {} }),
  call('unknown-proto', { name: '__proto__', arguments: {} }),
  call('empty-name', { name: '', arguments: {} }),
  call('no-name', { arguments: {} }),
  call('name-number', { name: 5 }),
  call('name-null', { name: null }),
  call('name-case', { name: 'ECHO', arguments: { message: 'x' } }),
  call('extra-member', { name: 'echo', arguments: { message: 'x' }, more: true }),
  call('task-hint', { name: 'echo', arguments: { message: 'x' }, task: { ttl: 1000 } }),
  call('slow', { name: 'slow' }),
  call('slow-with-progress', { name: 'slow', _meta: { progressToken: 'p' } }),
  call('slow-with-progress-number', { name: 'slow', _meta: { progressToken: 0 } }),
  call('slow-with-odd-progress', { name: 'slow', _meta: { progressToken: {} } }),
  call('meta-null', { name: 'echo', arguments: { message: 'x' }, _meta: null }),
  call('meta-string', { name: 'echo', arguments: { message: 'x' }, _meta: 'x' }),
  call('meta-foreign', { name: 'echo', arguments: { message: 'x' }, _meta: { 'a.b/c': [1] } }),
  prompt('good', { name: 'greet', arguments: { name: 'Ada' } }),
  prompt('missing-argument', { name: 'greet', arguments: {} }),
  prompt('missing-arguments', { name: 'greet' }),
  prompt('argument-number', { name: 'greet', arguments: { name: 5 } }),
  prompt('extra-argument', { name: 'greet', arguments: { name: 'Ada', more: 'x' } }),
  prompt('unknown', { name: 'nobody', arguments: {} }),
  prompt('no-name', {}),
  read('good', { uri: 'test://static' }),
  read('template', { uri: 'test://items/7' }),
  read('unknown', { uri: 'test://nothing' }),
  read('template-too-deep', { uri: 'test://items/7/8' }),
  read('template-itself', { uri: 'test://items/{id}' }),
  read('no-uri', {}),
  read('uri-number', { uri: 5 }),
  read('not-a-uri', { uri: 'no uri at all' }),
  complete('prompt', { ref: ref.prompt, argument }),
  complete('prompt-nothing-fits', { ref: ref.prompt, argument: { name: 'name', value: 'Z' } }),
  complete('prompt-unknown', { ref: { ...ref.prompt, name: 'nobody' }, argument }),
  complete('prompt-unknown-argument', { ref: ref.prompt, argument: { ...argument, name: 'x' } }),
  complete('template', { ref: template, argument: { name: 'id', value: 'G' } }),
  complete('template-unknown', { ref: { ...template, uri: 'test://none/{id}' }, argument }),
  complete('no-ref', { argument }),
  complete('no-argument', { ref: ref.prompt }),
  complete('odd-ref', { ref: { type: 'ref/tool', name: 'echo' }, argument }),
  complete('context', { ref: ref.prompt, argument, context: { arguments: { more: 'x' } } }),
  ...['tools/none', 'constructor', '__proto__', 'toString', '', 'Tools/List', 'tasks/list'].map(
    (method) => ({ name: `unknown-method-${method || 'empty'}`, method, params: {} }),
  ),
  ...['tasks/get', 'tasks/cancel', 'tasks/result'].map((method) => ({
    name: method.replace('/', '-'),
    method,
    params: { taskId: 'x' },
  })),
]

function list(kind: string, params?: Message['params']): Message {
  return { name: `${kind}-list`, method: `${kind}/list`, params }
}

function call(name: string, params: Message['params']): Message {
  return { name: `call-${name}`, method: 'tools/call', params }
}

function prompt(name: string, params: Message['params']): Message {
  return { name: `prompt-${name}`, method: 'prompts/get', params }
}

function read(name: string, params: Message['params']): Message {
  return { name: `read-${name}`, method: 'resources/read', params }
}

function complete(name: string, params: Message['params']): Message {
  return { name: `complete-${name}`, method: 'completion/complete', params }
}
