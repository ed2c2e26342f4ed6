// What a form does to a value: nothing, as long as the user changes nothing.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checked } from './check.ts'
import { initial } from './initial.ts'
import { withoutSecrets } from './secrets.ts'
import { shapeOf } from './shape.ts'
import { cleaned, isObject, own, pathTo, Unreadable, withProperty } from './values.ts'

/** As JSON.parse makes them: `__proto__` is an own property there. */
const json = fc.jsonValue({ maxDepth: 4 })
const key = fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', 'toString', '', '0'))
const object = fc
  .array(fc.tuple(key, json), { maxLength: 6 })
  .map((entries) => Object.fromEntries(entries) as Record<string, unknown>)

/** A schema, and a value of it that names every property. */
interface Made {
  schema: Record<string, unknown>
  value: unknown
}
const made: fc.Memo<Made> = fc.memo((depth): fc.Arbitrary<Made> => {
  const leaf = fc.oneof(
    fc.string().map((value): Made => ({ schema: { type: 'string' }, value })),
    fc
      .integer()
      .map((value): Made => ({ schema: { type: 'integer', minimum: -(2 ** 31) }, value })),
    fc.boolean().map((value): Made => ({ schema: { type: 'boolean' }, value })),
    json.map((value): Made => ({ schema: { const: value }, value })),
    fc.string().map((value): Made => ({ schema: { type: ['string', 'null'] }, value })),
    fc.constantFrom('a', 'b').map((value): Made => ({ schema: { enum: ['a', 'b'] }, value })),
  )
  if (depth <= 1) return leaf
  const list = fc.array(made(depth - 1), { maxLength: 3 }).map((items): Made => ({
    schema: { type: 'array', prefixItems: items.map(({ schema }) => schema) },
    value: items.map(({ value }) => value),
  }))
  const record = fc
    .uniqueArray(fc.tuple(key, made(depth - 1)), { maxLength: 4, selector: ([name]) => name })
    .map((fields): Made => ({
      schema: {
        type: 'object',
        required: fields.map(([name]) => name),
        properties: Object.fromEntries(fields.map(([name, { schema }]) => [name, schema])),
      },
      value: Object.fromEntries(fields.map(([name, { value }]) => [name, value])),
    }))
  return fc.oneof(leaf, list, record)
})

describe('a value in a form', () => {
  it('is the same when the form begins with it and sends it', () => {
    fc.assert(
      fc.property(made(3), ({ schema, value }) => {
        const root = { type: 'object', properties: { field: schema }, required: ['field'] }
        const started = initial(root, root, { given: { field: value }, required: true })
        const { args, problems } = checked(root, started)
        expect(args).toEqual({ field: value })
        expect(problems).toEqual([])
      }),
    )
  })

  it('is the same as JSON and back, whatever the names of its properties are', () => {
    fc.assert(
      fc.property(object, (value) => {
        const { value: sent, unreadable } = cleaned(JSON.parse(JSON.stringify(value)))
        expect(unreadable).toEqual([])
        expect(JSON.stringify(sent)).toBe(JSON.stringify(value))
        expect(Object.getPrototypeOf(sent)).toBe(Object.prototype)
      }),
    )
  })

  it('keeps its other properties and their order when one changes', () => {
    fc.assert(
      fc.property(object, key, json, (value, name, next) => {
        const changed = withProperty(value, name, next)
        expect(own(changed, name)).toEqual(next)
        const others = (of: object) => Object.entries(of).filter(([other]) => other !== name)
        expect(others(changed)).toEqual(others(value))
        if (Object.hasOwn(value, name)) expect(Object.keys(changed)).toEqual(Object.keys(value))
        expect(Object.keys(withProperty(changed, name, undefined))).not.toContain(name)
      }),
    )
  })

  it('has a shape for any schema, without an error', () => {
    fc.assert(
      fc.property(json, fc.option(json), (schema, value) => {
        const root = isObject(schema) ? schema : {}
        expect(shapeOf(schema, root, 'field', value ?? undefined).kind).toBeTypeOf('string')
        initial(schema, root, { required: true })
      }),
    )
  })

  it('loses only its secrets, wherever they are', () => {
    fc.assert(
      fc.property(made(3), fc.string(), ({ schema, value }, secret) => {
        const all = {
          type: 'object',
          properties: {
            field: schema,
            hidden: { allOf: [{ format: 'password' }] },
            list: { items: { writeOnly: true } },
          },
        }
        const given = { field: value, hidden: secret, list: [secret, secret] }
        expect(withoutSecrets(all, given)).toEqual({ field: value, list: [] })
        expect(withoutSecrets(all, given, '••••')).toEqual({
          field: value,
          hidden: '••••',
          list: ['••••', '••••'],
        })
      }),
    )
  })
})

describe('JSON that cannot be read yet', () => {
  it('is a problem at its field, and the rest is sent', () => {
    const typed = {
      size: { width: new Unreadable('{') },
      list: [new Unreadable('x'), 2],
      name: 'a',
    }
    const { value, unreadable } = cleaned(typed)
    expect(unreadable).toEqual(['size.width', 'list[0]'])
    // An item keeps its place.
    expect(value).toEqual({ size: {}, list: [null, 2], name: 'a' })
    const { problems } = checked({ type: 'object' }, typed)
    expect(problems.map(({ path }) => path)).toEqual(['size.width', 'list[0]'])
    expect(pathTo('a', 3)).toBe('a[3]')
  })
})
