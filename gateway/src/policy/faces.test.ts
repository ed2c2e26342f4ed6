import { describe, expect, it } from 'vitest'
import { guardedWorld, HIDDEN } from '../testing/guarded.ts'
import { tokenWith } from '../testing/issuer.ts'
import { type Face, LISTS, USES } from '../testing/policy-faces.ts'
import type { Rule } from './policy.ts'

const ONLY_OPEN: Rule[] = [{ effect: 'allow', components: ['open'] }]

/** Without what differs in every response. */
function normal(text: string, id: string): string {
  return text
    .replaceAll(id, '(it)')
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '(id)')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '(time)')
    .replace(/_[0-9a-f]{8}\b/g, '(hash)')
    .replace(/nonce-?="?[^"']*/g, '(nonce)')
}

async function answerTo([, ask]: Face, id: string, rules = ONLY_OPEN, token = tokenWith()) {
  const world = guardedWorld(rules)
  const [path, init] = await ask(id)
  const response = await world.get(path, token, init)
  const text = await response.text()
  const headers = [...response.headers].filter(([name]) => name !== 'x-request-id')
  const called = world.log.filter((line) => line !== `GET http://${id}.spin.internal/`)
  return { status: response.status, headers, text, called }
}

describe('what a caller may not use is as if it did not exist, at', () => {
  it.each(USES)('%s', async (...face) => {
    const hidden = await answerTo(face, HIDDEN)
    const unknown = await answerTo(face, 'ghost')
    expect(hidden.status).toBe(unknown.status)
    expect(hidden.headers).toEqual(unknown.headers)
    expect(normal(hidden.text, HIDDEN)).toBe(normal(unknown.text, 'ghost'))
    // Nothing but the question for its description may reach it.
    expect(hidden.called.filter((line) => line.includes(`//${HIDDEN}.`))).toEqual([])
  })

  it.each(USES)('%s, and a caller who may use it reaches it', async (...face) => {
    const may = await answerTo(face, HIDDEN, [{ effect: 'allow' }])
    const unknown = await answerTo(face, 'ghost', [{ effect: 'allow' }])
    // These two names exist for no caller.
    if (/behind|another component|stream of one/.test(face[0])) return
    expect(normal(may.text, HIDDEN)).not.toBe(normal(unknown.text, 'ghost'))
  })
})

describe('a list names nothing that the caller may not use:', () => {
  it.each(LISTS)('%s', async (...face) => {
    const { status, headers, text } = await answerTo(face, 'nothing')
    expect(status).toBe(200)
    expect(`${JSON.stringify(headers)} ${text}`).not.toContain(HIDDEN)
    const all = await answerTo(face, 'nothing', [{ effect: 'allow' }])
    // Otherwise the test above could not fail.
    if (/(?<!tools=search )list$|^\/tools|openapi|components/.test(face[0]))
      expect(all.text).toContain(HIDDEN)
  })

  it.each(LISTS)('%s, nor to a caller without any right', async (...face) => {
    const { text } = await answerTo(face, 'nothing', [{ effect: 'allow', principals: ['key:ci'] }])
    expect(text).not.toMatch(/vault|open_|a\.name/)
  })
})
