// A tool may ask the client for input (revision 2026-07-28). The official client answers by itself, with the
// handlers its user gave it, and repeats the call.
import { Client, type ClientOptions } from '@modelcontextprotocol/client'
import { afterEach, describe, expect, it } from 'vitest'
import { useFixtures } from './application.ts'
import { connected, type Connection, connectV1, connectV2, ME } from './sdk-clients.ts'

const fixtures = useFixtures()

const MODES = [
  { mode: 'auto', name: 'that looks for the newest revision' },
  { mode: { pin: '2026-07-28' }, name: 'pinned' },
] as const

const said = (text: string) => ({ content: [{ type: 'text', text }] })

let open: Connection | undefined
afterEach(async () => {
  await open?.client.close()
  open = undefined
})

describe.each(MODES)('the SDK v2 client $name', ({ mode }) => {
  /** Everything the user was asked, in order. */
  let asked: string[]

  async function connectWith(
    capabilities: ClientOptions['capabilities'],
    prepare: (client: Client) => void,
  ): Promise<Connection> {
    asked = []
    const client = new Client(ME, { versionNegotiation: { mode }, capabilities })
    prepare(client)
    return (open = await connected(client, `${fixtures.url}/mcp`))
  }

  /** Its user answers every question with the next of these. */
  const connectUser = (...answers: Record<string, string | boolean>[]) =>
    connectWith({ elicitation: {} }, (client) => {
      client.setRequestHandler('elicitation/create', ({ params }) => {
        asked.push(params.message)
        return { action: 'accept', content: answers.shift() }
      })
    })

  it('lets its user answer a tool', async () => {
    const { call } = await connectUser({ name: 'Ada' })
    const result = await call('test_input_required_result_elicitation')
    expect(result).toMatchObject(said('Hello, Ada!'))
    expect(asked).toEqual(['What is your name?'])
  })

  it('lets its user answer twice in one call', async () => {
    const { call } = await connectUser({ name: 'Ada' }, { color: 'green' })
    const result = await call('test_input_required_result_multi_round')
    expect(result).toMatchObject(said('Ada likes green.'))
    expect(asked).toEqual(['Step 1: What is your name?', 'Step 2: What is your favorite color?'])
  })

  it('brings the state of a tool back', async () => {
    const { call } = await connectUser({ ok: true })
    const result = await call('test_input_required_result_request_state')
    expect(result).toMatchObject(said('state-ok'))
  })

  it('lets its user answer a tool that has told its progress before', async () => {
    const { call } = await connectUser({ name: 'Ada' })
    const told: number[] = []
    const onprogress = ({ progress, total }: { progress: number; total?: number }) => {
      // The client tells of its own rounds too, without a total.
      if (total !== undefined) told.push(progress)
    }
    const result = await call('test_streaming_elicitation', {}, { onprogress })
    expect(result).toMatchObject(said('Hello, Ada!'))
    // Once for each of the two calls.
    expect(told).toEqual([0, 0])
  })

  it('lets its user answer a prompt', async () => {
    const { client } = await connectUser({ context: 'a library' })
    const { messages } = await client.getPrompt({ name: 'test_input_required_result_prompt' })
    expect(messages).toMatchObject([{ content: { text: 'Work in this context: a library' } }])
  })

  it('asks user, model and roots at once', async () => {
    const { call } = await connectWith({ elicitation: {}, sampling: {}, roots: {} }, (client) => {
      client.setRequestHandler('elicitation/create', () => ({
        action: 'accept',
        content: { name: 'Ada' },
      }))
      client.setRequestHandler('sampling/createMessage', () => ({
        role: 'assistant',
        model: 'none',
        content: { type: 'text', text: 'Welcome' },
      }))
      client.setRequestHandler('roots/list', () => ({ roots: [{ uri: 'file:///home/ada' }] }))
    })
    const result = await call('test_input_required_result_multiple_inputs')
    expect(result).toMatchObject(said('Welcome Ada, your roots are: file:///home/ada'))
  })

  it('gets an error with the missing capability when a tool asks for it', async () => {
    const { call } = await connectWith({}, () => {})
    await expect(call('test_input_required_result_elicitation')).rejects.toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { elicitation: {} } },
    })
  })
})

describe.each([
  { name: 'SDK v1', connect: connectV1 },
  { name: 'SDK v2 as it comes', connect: connectV2() },
])('the $name client', ({ connect }) => {
  it('gets an error as the result of a tool that asks, because its revision cannot carry it', async () => {
    open = await connect(`${fixtures.url}/mcp`)
    const result = await open.call('test_input_required_result_elicitation')
    expect(result).toMatchObject({ isError: true })
    expect(JSON.stringify(result.content)).toContain('2026-07-28')
  })
})
