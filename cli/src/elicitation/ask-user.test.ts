import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { askUser } from './ask-user.ts'

const schema = {
  type: 'object',
  properties: {
    confirm: { type: 'boolean', title: 'Delete it' },
    copies: { type: 'integer', minimum: 1, maximum: 3 },
    size: {
      type: 'string',
      enum: ['a4', 'a3'],
      enumNames: ['A4 paper', 'A3 paper'],
      default: 'a4',
    },
    tags: { type: 'array', items: { anyOf: [{ const: 'x', title: 'Ex' }, { const: 'y' }] } },
    note: { type: 'string', maxLength: 5 },
  },
  required: ['confirm', 'copies'],
}

async function ask(
  typed: string[],
  form: unknown = { message: 'Delete Oslo?', requestedSchema: schema },
) {
  const input = new PassThrough()
  const output = new PassThrough()
  let shown = ''
  output.on('data', (chunk: Buffer) => (shown += chunk.toString()))
  const answer = askUser(form as object, { input, output })
  input.end(typed.map((line) => `${line}\n`).join(''))
  return { answer: await answer, shown }
}

describe('a form at the terminal', () => {
  it('asks each field, and sends values of the types of the schema', async () => {
    const { answer, shown } = await ask(['yes', '2', '2', 'Ex, 2', 'hi'])
    expect(answer).toEqual({
      action: 'accept',
      content: { confirm: true, copies: 2, size: 'a3', tags: ['x', 'y'], note: 'hi' },
    })
    expect(shown).toMatch(/Delete Oslo\?[^]*Delete it \(yes or no\)[^]*1 {2}A4 paper/)
  })

  it('leaves out what has a default or is not required', async () => {
    const { answer } = await ask(['n', '1', '', '', ''])
    expect(answer).toEqual({ action: 'accept', content: { confirm: false, copies: 1 } })
  })

  it.each([
    ['perhaps', 'yes or no'],
    ['', 'required'],
  ])('asks again after %j', async (wrong, said) => {
    const { answer, shown } = await ask([wrong, 'y', '1', '', '', ''])
    expect(answer).toMatchObject({ content: { confirm: true } })
    expect(shown).toContain(said)
  })

  it.each(['0', '4', '1.5', 'x'])('does not take %j for a number from 1 to 3', async (wrong) => {
    const { answer, shown } = await ask(['y', wrong, '3', '', '', ''])
    expect(answer).toMatchObject({ content: { copies: 3 } })
    expect(shown).toMatch(/Please type a/)
  })

  it('declines when the input ends', async () => {
    expect((await ask(['y'])).answer).toEqual({ action: 'decline' })
  })

  it('asks for agreement where there are no fields', async () => {
    const form = { message: 'Go?', requestedSchema: { type: 'object', properties: {} } }
    expect((await ask(['yes'], form)).answer).toEqual({ action: 'accept', content: {} })
    expect((await ask(['no'], form)).answer).toEqual({ action: 'decline' })
  })

  it('shows the control characters of a server, and does not obey them', async () => {
    const properties = { '\x1b]0;x\x07': { type: 'string', description: '\x1b[2J' } }
    const form = { message: '\x1b[1A\x1b[2KAll is well', requestedSchema: { properties } }
    const { shown } = await ask([''], form)
    expect(shown).not.toContain('\x1b[2K')
    expect(shown).not.toContain('\x1b]0')
    expect(shown).toContain('\\x1b[2J')
  })

  it.each([undefined, null, 7, [], { properties: [] }, { properties: { a: null } }])(
    'reads the schema %j without failing',
    async (requestedSchema) => {
      const { answer } = await ask(['yes'], { message: 1, requestedSchema })
      expect(answer.action).toBe('accept')
    },
  )
})
