/** Folders with one tool that is broken and one that is good. */
import { field, node, workflow } from '../testing.ts'

export const one = (fields: unknown[], more: Record<string, unknown> = {}) => ({
  'config/good.json': [{ name: 'good', fields: [] }],
  'workflows/good.json': workflow(),
  'config/t.json': [{ name: 't', fields, ...more }],
  'workflows/t.json': workflow(),
})
export const mapped = (node: unknown, attribute: unknown, more: Record<string, unknown> = {}) =>
  one([field({ mapping: { node, attribute }, ...more })])
export const file = (text: unknown) => ({ ...one([]), 'workflows/t.json': text })
export const config = (value: unknown) => ({ ...one([]), 'config/t.json': value })

/** What is wrong, the files, and what the author reads: where, and the fix. */
export const BROKEN: [string, Record<string, unknown>, RegExp][] = [
  [
    'a configuration that is not JSON',
    config('[\n{]'),
    /^config\/t\.json:2: .*not valid JSON.*; correct/,
  ],
  ['a configuration that is empty', config(''), /not valid JSON: expected a value/],
  ['a configuration that is a text', config('"x"'), /no list of tools; write \[ … \]/],
  ['tools that are not a list', config({ tools: 3 }), /no list of tools/],
  ['a tool that is not an object', config([3]), /a tool is an object/],
  ['a configuration nested without end', config('['.repeat(100_000)), /nested more than 200/],
  ['a configuration that cannot be read', config(undefined), /cannot be read; .*UTF-8/],
  ['a name with a space', config([{ name: 'a b' }]), /"a b" is not a valid tool name; use 1 to 64/],
  ['a name with a path', config([{ name: '../x' }]), /"\.\.\/x" is not a valid tool name/],
  ['a name of dots', config([{ name: '..' }]), /"\.\." is not a valid tool name/],
  ['a name that is a number', config([{ name: 3 }]), /"name" must be a string/],
  [
    'a workflow with a path',
    one([], { workflow: '../../etc/x.json' }),
    /"workflow" must be a file name; .*without a path/,
  ],
  ['an absolute workflow', one([], { workflow: '/etc/passwd' }), /"workflow" must be a file name/],
  [
    'a workflow with a NUL',
    one([], { workflow: 'a\u0000.json' }),
    /"workflow" must be a file name/,
  ],
  [
    'a workflow that is not there',
    one([], { workflow: 'u.json' }),
    /"workflows" has no file "u.json"; put/,
  ],
  ['a title that is not a string', one([], { title: {} }), /"title" must be a string/],
  ['fields that are not a list', config([{ name: 't', fields: {} }]), /"fields" must be a list/],
  ['a field that is not an object', one(['x']), /a field is an object/],
  ['a field without a name', one([field({ name: undefined })]), /no usable name; give it a "name"/],
  [
    'a field named __proto__',
    one([field({ name: '__proto__' })]),
    /"__proto__" cannot be used as a name/,
  ],
  [
    'two fields of one name',
    one([field(), field({ mapping: { node: 7, attribute: 'text' } })]),
    /a field "prompt" already/,
  ],
  ['a field without a mapping', one([{ name: 'a' }]), /has no "mapping".*; add "mapping"/],
  ['an empty list of mappings', one([field({ mapping: [] })]), /has no "mapping"/],
  ['a mapping that is a text', one([field({ mapping: '6.text' })]), /a mapping is an object/],
  ['a mapping without a node', one([field({ mapping: { attribute: 'text' } })]), /names no "node"/],
  ['a node that is a fraction', mapped(6.5, 'text'), /names no "node"/],
  [
    'a mapping without an attribute',
    one([field({ mapping: { node: 6 } })]),
    /names no "attribute"/,
  ],
  ['a type there is not', one([field({ type: 'text' })]), /no type "text"; use string, number/],
  ['a type of every object', one([field({ type: 'constructor' })]), /no type "constructor"/],
  [
    'a default of another type',
    one([field({ default: 3 })]),
    /"default" must be a string; correct/,
  ],
  [
    'a default beyond the maximum',
    mapped(3, 'seed', { type: 'integer', maximum: 5, default: 9 }),
    /"default" must be at most 5/,
  ],
  [
    'a default JavaScript cannot hold',
    mapped('3', 'seed', { type: 'integer', default: 2 ** 60 }),
    /"default" must be between/,
  ],
  ['required that is a text', one([field({ required: 'yes' })]), /neither true nor false/],
  ['an enum that is empty', one([field({ enum: [] })]), /"enum" lists no values/],
  ['an enum of another type', one([field({ enum: ['a', 1] })]), /the value must be a string/],
  [
    'a minimum that is a text',
    mapped(3, 'seed', { type: 'integer', minimum: '1' }),
    /"minimum" must be a number/,
  ],
  ['a minimum of a text', one([field({ minimum: 1 })]), /"minimum" has no meaning for a string/],
  [
    'limits the wrong way round',
    mapped(3, 'seed', { type: 'integer', minimum: 2, maximum: 1 }),
    /"minimum" is larger/,
  ],
  [
    'a generator there is not',
    one([field({ generator: { type: 'uuid' } })]),
    /no such generator; use "seed"/,
  ],
  [
    'a seed that is a text',
    one([field({ generator: 'seed' })]),
    /"seed" makes no string; make the field an "integer"/,
  ],
  [
    'options the wrong way round',
    mapped(3, 'seed', {
      type: 'integer',
      generator: { type: 'seed', options: { min: 2, max: 1 } },
    }),
    /"min" is larger/,
  ],
  ['a node that is not there', mapped(99, 'text'), /no node "99"; use one of "3" \(KSampler\)/],
  ['a class that is not there', mapped('Nope', 'text'), /no node "Nope"/],
  [
    'a class of two nodes',
    mapped('CLIPTextEncode', 'text'),
    /several nodes have the class "CLIPTextEncode"; .*"6", "7"/,
  ],
  ['a node every object has', mapped('constructor', 'text'), /no node "constructor"/],
  [
    'an attribute that is not there',
    mapped(3, 'sed'),
    /no attribute "sed"; use one of "seed", "cfg"/,
  ],
  ['an attribute every object has', mapped(6, '__proto__'), /no attribute "__proto__"/],
  ['a path to nowhere', mapped('57:27', 'size.deep.9'), /no attribute "size\.deep\.9"/],
  ['a path out of the node', mapped(6, '../7/text'), /no attribute/],
  [
    'a link',
    mapped(3, 'positive'),
    /"positive" of node "3" \(KSampler\) is linked to node "6".*; map to node "6"/,
  ],
  [
    'two fields with one place',
    one([field(), field({ name: 'again' })]),
    /"prompt" and "again" are mapped to the same place/,
  ],
  [
    'a place within another',
    one([
      field({ name: 'whole', type: 'object', mapping: { node: '57:27', attribute: 'size' } }),
      field({
        name: 'part',
        type: 'integer',
        mapping: { node: '57:27', attribute: 'size.deep.0' },
      }),
    ]),
    /mapped to the same place/,
  ],
  ['a workflow that is not JSON', file('{"3":'), /^workflows\/t\.json:1: .*not valid JSON/],
  [
    'a workflow of the editor',
    file({ nodes: [], links: [] }),
    /editor; convert it with "ftl workflows init FILE --comfyui URL", or export it with "File → Export \(API\)"/,
  ],
  ['a workflow that is a list', file([]), /a workflow is an object of nodes/],
  ['a workflow without nodes', file({}), /has no nodes/],
  ['a node that is a text', file({ 3: 'x' }), /node "3" must be an object/],
  ['a node without a class', file({ 3: { inputs: {} } }), /node "3" has no "class_type"/],
  [
    'inputs that are a list',
    file({ 3: { class_type: 'A', inputs: [] } }),
    /"inputs" of node "3" must be an object/,
  ],
  [
    'a link to nowhere',
    file({ 3: node('A', { x: ['99', 0] }) }),
    /linked to node "99", which is not there/,
  ],
  [
    'a seed ComfyUI cannot hold',
    file('{"3":{"class_type":"A","inputs":{"seed":18446744073709551616}}}'),
    /larger than any number.*; use at most 18446744073709551615/,
  ],
  [
    'a number without end',
    file('{"3":{"class_type":"A","inputs":{"seed":1e999}}}'),
    /larger than any number/,
  ],
  ['a text without end', file('{"3":{"class_type":"A'), /this text has no end/],
  ['an unknown escape', file('{"3":{"class_type":"\\x"}}'), /unknown escape/],
]
