// "ftl call" and ftl-client with tools whose calls a person must approve.
import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { Client } from 'ftl-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningApplication, startHostile } from '../hostile/support/application.ts'
import { gatewayOver } from '../hostile/support/publisher.ts'
import { built } from '../hostile/support/wat.ts'
import { atTerminal, hasTerminal } from '../support/at-terminal.ts'
import { ftl } from '../support/command.ts'

const KEY = `ftl_${createHash('sha256').update('ada').digest('base64url')}`
const env = { FTL_TOKEN: KEY }

let host: RunningApplication
beforeAll(async () => {
  host = await startHostile({
    gateway: await gatewayOver(['echo', 'everything'], {
      discovery_timeout_ms: '20000',
      api_keys: JSON.stringify([
        { sha256: createHash('sha256').update(KEY).digest('hex'), principal: 'ada' },
      ]),
      policy: JSON.stringify({
        rules: [{ effect: 'ask', tools: ['echo', 'test_input_required_*'] }, { effect: 'allow' }],
      }),
    }),
    echo: { wasm: await built('echo'), route: false },
    everything: { wasm: await built('test/conformance/everything'), route: false },
  })
  await fetch(`${host.url}/tools`, { headers: { authorization: `Bearer ${KEY}` } })
})
afterAll(() => host.close())

const callOf = (...args: string[]) => ['call', '--url', `${host.url}/mcp`, ...args]

async function run(...args: string[]) {
  const command = ftl(callOf(...args), { env })
  return { code: await command.exited, output: command.output() }
}

describe.each(['auto', 'legacy'])('ftl call with the protocol %s', (protocol) => {
  const options = ['--protocol', protocol]

  it('without a terminal fails, and names the option', async () => {
    const { code, output } = await run('echo', 'message=Hi', ...options)
    expect(code).toBe(5)
    expect(output).toContain('runs only after a person has approved')
    expect(output).toMatch(/Run the command in a terminal to be asked, or add --yes/)
  })

  it('with --yes runs the tool', async () => {
    expect(await run('echo', 'message=Hi', ...options, '--yes')).toEqual({
      code: 0,
      output: 'Hi\n',
    })
    const { output } = await run('echo', 'message=Hi', ...options, '-y', '--json')
    expect(JSON.parse(output)).toMatchObject({ content: [{ text: 'Hi' }] })
  })

  it.skipIf(!hasTerminal)('at a terminal asks, and runs the tool if the user agrees', async () => {
    const args = callOf('echo', 'message=Hi there', ...options)
    const { screen, code } = await atTerminal(args, [[/\(y\/N\) $/, 'y\r']], { cwd: tmpdir(), env })
    expect(screen).toMatch(
      /Approve this call\?\s+Tool: echo\s+Component: echo\s+Arguments: \{\s+"message": "Hi there"\s+\}/,
    )
    expect(screen).toMatch(/\nHi there\r?\n/)
    expect(code).toBe(0)
    expect(screen).not.toContain('add --yes')
  })

  it.skipIf(!hasTerminal).each([
    ['Enter', '\r'],
    ['n', 'n\r'],
    ['Ctrl-D', '\x04'],
  ])('at a terminal does not run the tool after %s', async (_, typed) => {
    const args = callOf('echo', 'message=ran anyway', ...options)
    const { screen, code } = await atTerminal(args, [[/\(y\/N\) $/, typed]], {
      cwd: tmpdir(),
      env,
    })
    expect(screen).not.toMatch(/\nran anyway/)
    expect(screen).toMatch(/not approved|only after a person has approved/)
    expect(code).toBe(5)
  })
})

it('--yes answers no question of the tool itself', async () => {
  const { code, output } = await run('test_input_required_result_elicitation', '--yes')
  expect(code).not.toBe(0)
  expect(output).not.toContain('Hello')
})

it('control characters in arguments are shown, and not obeyed', async ({ skip }) => {
  if (!hasTerminal) skip('there is no program "script"')
  const args = callOf(
    'echo',
    '--args',
    '{"message":"\\u001b[2K\\u202eharmless"}',
    '--protocol',
    'legacy',
  )
  const { screen } = await atTerminal(args, [[/\(y\/N\) $/, 'n\r']], { cwd: tmpdir(), env })
  expect(screen).toContain('\\u001b[2K')
  expect(screen).not.toContain('\u202e')
})

describe('ftl-client', () => {
  async function connect(): Promise<Client> {
    const client = await Client.connect({
      url: `${host.url}/mcp`,
      headers: { authorization: `Bearer ${KEY}` },
    })
    await client.initialize()
    return client
  }

  it('asks the program once, with what is called, and sends the call again', async () => {
    const client = await connect()
    const asked: unknown[] = []
    const approve = (request: unknown) => asked.push(request) > 0
    const result = await client.callTool('echo', { message: 'Hi' }, { approve })
    expect(result.content).toEqual([{ type: 'text', text: 'Hi' }])
    expect(asked).toEqual([
      {
        tool: 'echo',
        component: 'echo',
        arguments: { message: 'Hi' },
        message: 'The tool "echo" runs only after a person has approved this call.',
        expiresAt: expect.stringMatching(/^\d{4}-.*Z$/) as string,
      },
    ])
    // The next call needs an approval of its own.
    await client.callTool('echo', { message: 'Hi' }, { approve })
    expect(asked).toHaveLength(2)
    await client.close()
  })

  it('returns the refusal if the program declines, or is not asked', async () => {
    const client = await connect()
    for (const options of [{ approve: () => false }, { approve: async () => false }, {}]) {
      expect((await client.callTool('echo', { message: 'Hi' }, options)).isError).toBe(true)
    }
    await client.close()
  })

  it('fails with the error of the program that is asked', async () => {
    const client = await connect()
    const approve = () => {
      throw new Error('no one is there')
    }
    await expect(client.callTool('echo', { message: 'Hi' }, { approve })).rejects.toThrow('no one')
    await client.close()
  })
})
