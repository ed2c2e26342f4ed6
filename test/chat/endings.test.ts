// How chats end that do not go well, and who leaves: real components, real sockets, a model that fails on purpose.
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  chat,
  type ChatApplication,
  contents,
  linesOf,
  post,
  startChat,
  statuses,
} from './application.ts'

const call = (name: string, args: object | string = {}) => ({ name, arguments: args })
/** Of a tool that is left, each 150 ms. */
const STEPS = 12
const KEY = 'a.key:of~no+known-form'

let application: ChatApplication
beforeAll(async () => {
  application = await startChat(
    {
      key: KEY,
      wordDelayMs: 30,
      script: [
        { when: '500', turns: [{ fail: { status: 500, message: `out of memory, ${KEY}` } }] },
        { when: 'drop', turns: [{ content: 'a b c d', fail: { dropAfter: 2 } }] },
        { when: 'early', turns: [{ content: 'a b c d', fail: { endAfter: 2 } }] },
        {
          when: 'midway',
          turns: [{ content: 'a b c', fail: { errorAfter: 1, message: `boom ${KEY}` } }],
        },
        { when: 'garbage', turns: [{ fail: { garbage: 'data: {nonsense\n\n' } }] },
        { when: 'page', turns: [{ fail: { garbage: '<html>' } }] },
        { when: 'busy', turns: [{ content: 'x', fail: { status: 429, retryAfter: 60 } }] },
        {
          when: 'again',
          turns: [{ content: 'At last.', fail: { status: 503, retryAfter: 1, times: 1 } }],
        },
        { when: 'empty', turns: [{ content: '' }] },
        { when: 'forever', turns: [{ calls: [call('echo', { message: 'x' })] }] },
        {
          when: 'wrong',
          turns: [
            { calls: [call('echo', '{bad'), call('nothing'), call('refuses'), call('crashes')] },
            { content: 'I see.' },
          ],
        },
        { when: 'talkative', turns: [{ content: 'word '.repeat(2_000) }] },
        { when: 'steps', turns: [{ calls: [call('steps', { count: STEPS })] }] },
        {
          when: 'job',
          turns: [{ calls: [call('long_work', { milliseconds: 2_500 })] }, { content: 'x' }],
        },
        { when: 'hang', turns: [{ content: 'a b c', fail: { hangAfter: 1 } }] },
        { turns: [{ content: 'Hello.' }] },
      ],
    },
    { llm_api_key: KEY, chat_max_steps: '3' },
  )
  await chat(application, 'hello')
})
afterAll(() => application.close())

describe('a model that fails ends the chat with one error', () => {
  it.each([
    ['500', 'model_failed', /500.*out of memory/],
    ['drop', 'model_broke_off', /broke off/],
    ['early', 'model_broke_off', /broke off/],
    ['midway', 'model_failed', /boom/],
    ['garbage', 'model_unreadable', /llm_api/],
    ['page', 'model_unreadable', /<html>.*llm_url/],
    ['busy', 'model_busy', /too much to do/],
    ['empty', 'model_empty', /answered nothing/],
    ['forever', 'steps_limit', /within 3 steps.*chat_max_steps/],
  ])('%s', async (message, code, words) => {
    const lines = await chat(application, message)
    expect(lines.filter(({ type }) => type === 'error' || type === 'result')).toHaveLength(1)
    expect(lines.at(-1)).toMatchObject({ type: 'error', code })
    expect(lines.at(-1)?.message).toMatch(words)
    expect(JSON.stringify(lines)).not.toContain(KEY)
  })
})

it('what the model said before it broke off has been passed on', async () => {
  expect(contents(await chat(application, 'drop')).trim()).toBe('a b')
})

it('a model that is overloaded for a moment is asked once more, and the chat reports this', async () => {
  const lines = await chat(application, 'again')
  expect(statuses(lines)).toContain('The model has too much to do; asking again in 1 s')
  expect(lines.at(-1)).toMatchObject({ type: 'result', response: { content: 'At last.' } })
})

it('calls that cannot be made are reported to the model, which goes on', async () => {
  const lines = await chat(application, 'wrong')
  expect(lines.at(-1)).toMatchObject({ type: 'result', response: { content: 'I see.' } })
  const said = application.model.requests
    .at(-1)
    ?.body.messages.filter(({ role }) => role === 'tool')
  expect(said?.map(({ content }) => content)).toEqual([
    expect.stringContaining('invalid_json'),
    expect.stringContaining('There is no tool \\"nothing\\"'),
    'Error: Not today.',
    expect.stringContaining('tool_failed'),
  ])
  expect(JSON.stringify(said)).not.toContain('a secret of the tool')
})

describe('a client that leaves', () => {
  it('ends the request to the model', async () => {
    const { lines, leave } = await listening('talkative')
    while ((await lines.next()).value?.type !== 'content');
    const request = application.model.requests.at(-1)
    expect(request?.left).toBe(false)
    leave()
    // A minute of words is left.
    await expect.poll(() => request?.left, { timeout: 5_000 }).toBe(true)
  })

  it('ends the work of a tool that did not start a job', async () => {
    const taken = async () => {
      const answer = await fetch(`${application.url}/tools/ticks`, post({}))
      const { content } = (await answer.json()) as { content: [{ text: string }] }
      return Number(content[0].text)
    }
    const before = await taken()
    const { lines, leave } = await listening('steps')
    while ((await lines.next()).value?.step !== 'progress');
    leave()
    // Longer than all its steps would take.
    await pause(STEPS * 250)
    const more = (await taken()) - before
    expect(more).toBeGreaterThan(0)
    expect(more).toBeLessThan(STEPS)
  })

  it('ends no job: its record is what a reload finds again', async () => {
    const { lines, leave } = await listening('job')
    let jobId: string | undefined
    while (jobId === undefined) jobId = (await lines.next()).value?.jobId
    leave()
    const record = async () =>
      (await (await fetch(`${application.url}/jobs/${jobId}`)).json()) as { status: string }
    expect(await record()).toMatchObject({ status: 'working' })
    await expect.poll(record, { timeout: 10_000 }).toMatchObject({ status: 'completed' })
  })
})

it(
  'a model that says nothing for ten seconds is waited for aloud',
  { timeout: 20_000 },
  async () => {
    const { lines, leave } = await listening('hang')
    let line = (await lines.next()).value
    while (line && line.step !== 'waiting') line = (await lines.next()).value
    expect(line).toMatchObject({ type: 'status', message: 'Still working' })
    leave()
  },
)

async function listening(message: string) {
  const controller = new AbortController()
  const sent = post({ message }, { signal: controller.signal })
  const response = await fetch(`${application.url}/api/chat`, sent)
  return { lines: linesOf(response), leave: () => controller.abort() }
}
