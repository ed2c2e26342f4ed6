import { afterEach, expect, it, vi } from 'vitest'
import { checkGateway } from './gateway.ts'

afterEach(() => void vi.unstubAllGlobals())

const answers = (body: object) => vi.stubGlobal('fetch', async () => Response.json(body))
const found = async () =>
  (await checkGateway('http://127.0.0.1:3000/mcp')).map(({ level, message }) => [level, message])

const echo = { component: 'echo', status: 'ok', tools: 1 }
const ANSWERS = ['ok', 'http://127.0.0.1:3000 answers']
const HAS_TOOLS = ['ok', 'answers, with 1 tool']

it('passes on what the gateway warns of, as on Spin', async () => {
  answers({ status: 'ok', warning: 'Set request_state_key.\u001b[2J', components: [echo] })
  expect(await found()).toEqual([
    ANSWERS,
    ['warning', expect.stringMatching(/^Set request_state_key\.[^\u001b]*$/)],
    HAS_TOOLS,
  ])
})

it('warns of nothing otherwise', async () => {
  answers({ status: 'ok', components: [echo] })
  expect(await found()).toEqual([ANSWERS, HAS_TOOLS])
})
