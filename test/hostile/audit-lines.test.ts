// Calls after which an audit log without a line would say that nothing happened.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect } from 'vitest'
import { audit, credentials, KEY, serveAudited } from '../audit/application.ts'
import { type Effects, startEffects } from '../code/effects.ts'
import { type HostileComponent, startHostile, writeApplication } from './support/application.ts'
import { attack } from './support/attack.ts'
import { gatewayOver } from './support/publisher.ts'
import { built } from './support/wat.ts'

type Entry = Record<string, unknown>

let effects: Effects
beforeEach(async () => {
  effects = await startEffects()
})
afterEach(() => effects.close())

async function components(callSettings = ''): Promise<Record<string, HostileComponent>> {
  return {
    'mcp-gateway': await gatewayOver(['effects'], { ...credentials, call_settings: callSettings }),
    effects: {
      wasm: await built('test/code/effects'),
      route: false,
      allowedHosts: [effects.url],
      variables: { effects_url: effects.url },
    },
  }
}

const entriesOf = (path: string): Entry[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        return [JSON.parse(line) as Entry]
      } catch {
        return []
      }
    })

/** Sends JSON as it is written: no parser of this process makes it again. */
const send = (url: string, path: string, id: string, body: string) =>
  fetch(url + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${KEY}`,
      'x-request-id': id,
    },
    body,
  }).then(async (response) => ({ status: response.status, text: await response.text() }))

const repeated = (part: string, times: number) => Array(times).fill(part).join()

/** Members that the tool does not know, in a body of at most 4 MiB. */
const SHAPES: Readonly<Record<string, string>> = {
  'two million numbers': `"x":[${repeated('7', 2_000_000)}]`,
  'one text of 4 MB': `"x":"${'a'.repeat(4_000_000)}"`,
  'a text of quotes': `"x":"${'\\"'.repeat(1_900_000)}"`,
  '300,000 members': `"x":{${Array.from({ length: 300_000 }, (_, n) => `"k${n}":7`).join()}}`,
  'the same member 400,000 times': `"x":{${repeated('"a":1', 400_000)}}`,
  '60 levels': `"x":${'['.repeat(60)}${']'.repeat(60)}`,
  '400 levels': `"x":${'{"a":'.repeat(400)}1${'}'.repeat(400)}`,
  '100,000 levels': `"x":${'['.repeat(100_000)}${']'.repeat(100_000)}`,
  'halves of characters': `"x":[${repeated('"\\ud800"', 300_000)}],"\\udfff":"\\ud800"`,
  'few halves of characters': `"\\udfff":["\\ud800"]`,
  'characters that are escaped in the log': `"x":"${'\u200b'.repeat(11_000)}"`,
  'a text to be looked through for secrets': `"x":[${repeated('{"password":"s3cret"}', 150_000)}]`,
  'names of an object': `"__proto__":{"a":1},"constructor":{"prototype":1},"toJSON":"x"`,
}

/** What the log says of the request that has each effect, at the moment of the effect. */
function watchEffects(path: string): Map<string, Entry[]> {
  const seen = new Map<string, Entry[]>()
  effects.onDone = (what) => {
    const id = what.replace(/^\S+ /, '')
    seen.set(
      id,
      entriesOf(path).filter(({ request }) => request === id),
    )
  }
  return seen
}

attack(
  'the arguments of a call are such that no line can be made of them',
  async () => {
    const { folder, remove } = await writeApplication({})
    const path = join(folder, 'audit.jsonl')
    const host = await startHostile(await components('audit_arguments=true'), {
      auditLog: path,
      workers: 1,
    })
    const seen = watchEffects(path)
    const ids = Object.keys(SHAPES).map((_, index) => `shape-${index}`)
    for (const [index, members] of Object.values(SHAPES).entries()) {
      const id = ids[index] ?? ''
      const params = `{"path":"${id}",${members}}`
      await send(host.url, '/invoke', id, `{"tool":"append","params":${params}}`)
    }
    await host.close()
    // Some are refused or take too long, which is not the point. What did run has its lines.
    expect(seen.size).toBeGreaterThan(4)
    for (const [id, entries] of seen) {
      expect(entries, `${id} before its effect`).toEqual([
        expect.objectContaining({ event: 'begin', tool: 'append', principal: 'key:ci' }),
      ])
      const [begun] = entries
      const ends = entriesOf(path).filter(
        ({ event, call }) => event === 'call' && call === begun?.['call'],
      )
      expect(ends, `the end of ${id}`).toHaveLength(1)
      expect(ends[0]).toMatchObject({
        arguments: begun?.['arguments'],
        outcome: expect.any(String) as string,
      })
    }
    expect(readFileSync(path, 'utf8')).not.toMatch(/[\u200b\ud800-\udfff]/)
    const { code, output } = await audit('verify', path)
    expect([code, output]).toEqual([0, expect.not.stringContaining('no outcome')])
    await remove()
    return 'a line comes before the effect, and a digest of the text that the tool gets'
  },
  400_000,
)

attack(
  'a list of calls has so much to say that the rest of the output is dropped',
  async () => {
    const { folder, remove } = await writeApplication({})
    const path = join(folder, 'audit.jsonl')
    const host = await startHostile(await components('audit_arguments=true'), {
      auditLog: path,
      workers: 1,
      maxOutputBytes: 64 * 1024,
    })
    const seen = watchEffects(path)
    const calls = Array.from({ length: 50 }, (_, n) => ({
      ...{ jsonrpc: '2.0', id: n, method: 'tools/call' },
      params: { name: 'append', arguments: { path: 'list', x: `${n}${'a'.repeat(8000)}` } },
    }))
    expect(await send(host.url, '/mcp', 'list', JSON.stringify(calls))).toMatchObject({
      status: 200,
    })
    await host.close()
    expect(seen.size).toBe(1)
    const lines = entriesOf(path).filter(({ request }) => request === 'list')
    const of = (wanted: string) => lines.filter(({ event }) => event === wanted)
    expect([effects.done.length, of('begin').length, of('call').length]).toEqual([50, 50, 50])
    await remove()
    return 'lines of the log do not count as output'
  },
  120_000,
)

attack(
  'the host is killed between a call and its end',
  async () => {
    const application = await writeApplication(await components())
    const path = join(application.folder, 'audit.jsonl')
    const { url, command } = await serveAudited(application, ['--audit-log', path])
    effects.onDone = async () => {
      command.signal('SIGKILL')
      await command.exited
    }
    await send(url, '/invoke', 'killed', '{"tool":"append","params":{"path":"a"}}').catch(() => {})
    await command.exited
    expect(effects.done).toEqual(['append a'])
    expect(entriesOf(path).filter(({ request }) => request === 'killed')).toEqual([
      expect.objectContaining({ event: 'begin', tool: 'append', component: 'effects' }),
    ])
    const verified = await audit('verify', path)
    expect(verified.code).toBe(0)
    expect(verified.output).toContain('the call of append of effects by key:ci has no outcome')
    expect(verified.output).toContain('1 call has no outcome')
    expect((await audit('show', path, '--tool', 'append')).output).toMatch(
      /append {2}no outcome {2}of effects/,
    )
    await application.remove()
    return 'the line of its beginning is there, and verify names it'
  },
  120_000,
)
