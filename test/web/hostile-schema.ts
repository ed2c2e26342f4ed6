/** A schema that is made to break a form. The builder refuses it for our own tools; other servers may have it. */
const RUN = "document.documentElement.dataset.owned='yes'"

export const HOSTILE_TITLE = `<img src=x onerror="${RUN}"> hostile`

function nested(levels: number): object {
  let schema: object = { type: 'string', title: 'the end' }
  for (let level = levels; level > 0; level--) {
    schema = { type: 'object', required: ['in'], properties: { in: schema } }
  }
  return schema
}

export const HOSTILE_SCHEMA = {
  type: 'object',
  properties: {
    many: {
      type: 'string',
      enum: Array.from({ length: 10_000 }, (_, index) => `value ${index}`),
    },
    deep: nested(200),
    cycle: { $ref: '#/$defs/cycle' },
    pair: { $ref: '#/$defs/a' },
    ...(JSON.parse('{"__proto__": {"type": "string", "title": "proto"}}') as object),
    constructor: { type: 'string' },
    '<b>bold</b>': { type: 'string', title: `</label><script>${RUN}</script>` },
    slow: { type: 'string', pattern: '^(a+)+$' },
    never: false,
    wrong: { $ref: 'https://elsewhere.example/schema.json' },
    strange: { type: 'banana' },
    conflict: { allOf: [{ type: 'string' }, { type: 'number' }] },
  },
  $defs: {
    cycle: { $ref: '#/$defs/cycle' },
    a: { type: 'object', required: ['b'], properties: { b: { $ref: '#/$defs/b' } } },
    b: { type: 'object', required: ['a'], properties: { a: { $ref: '#/$defs/a' } } },
  },
}
