import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import type { Operation } from './document.ts'
import { exampleArgs, formSchema, prepare, samples } from './operation-request.ts'

const base = { id: 'x', group: '', title: '', about: '', answers: [], body: undefined }
const job: Operation = {
  ...base,
  method: 'GET',
  path: '/jobs/{id}',
  parameters: [
    { name: 'id', in: 'path', required: true, about: '', schema: { type: 'string' } },
    { name: 'wait', in: 'query', required: false, about: '', schema: { type: 'number' } },
  ],
}
const call: Operation = {
  ...base,
  method: 'POST',
  path: '/tools/t',
  parameters: [
    { name: 'wait', in: 'query', required: false, about: '', schema: { type: 'number' } },
    { name: 'Idempotency-Key', in: 'header', required: false, about: '', schema: {} },
  ],
  body: { type: 'object', properties: { wait: { type: 'string' }, n: {} }, required: ['n'] },
}

describe('the request that a form describes', () => {
  it('has parameters in the path, the query and headers, and the rest in the body', () => {
    expect(prepare(job, { id: 'a/b?c', wait: 2 })).toEqual({
      method: 'GET',
      path: '/jobs/a%2Fb%3Fc?wait=2',
      headers: {},
      body: undefined,
    })
    expect(prepare(call, { n: 1, 'Idempotency-Key': 'k' })).toMatchObject({
      path: '/tools/t',
      headers: { 'Idempotency-Key': 'k', 'Content-Type': 'application/json' },
      body: { n: 1 },
    })
  })

  it('sends the argument of a tool that has the name of a parameter as an argument', () => {
    expect(prepare(call, { n: 1, wait: 'x' })).toMatchObject({
      path: '/tools/t',
      body: { n: 1, wait: 'x' },
    })
    expect(formSchema(call)).toMatchObject({
      required: ['n'],
      properties: { wait: { type: 'string' } },
    })
  })

  it('has one field for a body that is no object', () => {
    const list: Operation = { ...call, parameters: [], body: { type: 'array' } }
    expect(formSchema(list)).toMatchObject({ required: ['body'] })
    expect(prepare(list, { body: [1] }).body).toEqual([1])
    expect(exampleArgs(list)).toEqual({ body: [] })
  })
})

describe('samples', () => {
  const hostile = `it's $HOME \`id\` "x" \\ \n; rm -rf /`

  it('give the shell every text as it is', () => {
    const [curl] = samples('http://h', prepare(call, { n: hostile }))
    const words = execFileSync('sh', ['-c', `curl() { printf '%s\\0' "$@"; }; ${curl?.code}`])
    const list = words.toString().split('\0')
    expect(JSON.parse(list[list.indexOf('-d') + 1] ?? '')).toEqual({ n: hostile })
  })

  it('are programs that send it', async () => {
    const ts = samples('http://h', prepare(call, { n: hostile }))[1]?.code ?? ''
    const sent: unknown[] = []
    const fetch = (...args: unknown[]) => {
      sent.push(args)
      return Promise.resolve({ status: 200, json: () => ({}) })
    }
    // eslint-disable-next-line @typescript-eslint/no-implied-eval, @typescript-eslint/no-unsafe-call
    await new Function('fetch', 'console', `return (async () => { ${ts} })()`)(fetch, { log() {} })
    const body = JSON.stringify({ n: hostile })
    expect(sent).toEqual([['http://h/tools/t', expect.objectContaining({ method: 'POST', body })]])
  })

  it('ask without options where there is nothing to say', () => {
    const [curl, ts] = samples('http://h', prepare(job, { id: 'x' }))
    expect(curl?.code).toBe('curl -s http://h/jobs/x')
    expect(ts?.code).toContain(`await fetch("http://h/jobs/x")`)
  })
})
