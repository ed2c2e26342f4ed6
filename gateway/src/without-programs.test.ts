import { expect, test } from 'vitest'
import { createApp } from './app.ts'
import { call, createWorld, several, text, tool } from './testing/components.ts'
import { withoutPrograms } from './without-programs.ts'

const saved = { ...tool('report'), _meta: { 'ftl/program': true } }

function world() {
  return createWorld({
    app: createApp({ features: [withoutPrograms] }),
    components: {
      code: several([tool('run_code'), tool('other')]),
      echo: several([saved, tool('run_code'), tool('echo')], (name) => text(name)),
    },
  })
}

test.each(['run_code', 'report'])('%s says how to get programs', async (name) => {
  const one = world()
  expect(await one.rpc(call(name, {}))).toMatchObject({
    result: {
      isError: true,
      content: [{ text: expect.stringContaining('Build it again: npx ftl build') as string }],
    },
  })
  expect(one.log.filter((line) => line.startsWith('POST'))).toEqual([])
})

test.each(['echo', 'other', 'echo__run_code'])('%s is called like any tool', async (name) => {
  expect(await world().rpc(call(name, {}))).toMatchObject({
    result: { content: [{ text: name.replace('echo__', '') }] },
  })
})

test('a path that programs call answers 404', async () => {
  const request = new Request('http://localhost:3000/run/tools')
  expect((await world().send(request)).status).toBe(404)
})
