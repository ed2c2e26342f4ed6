import { describe, expect, it } from 'vitest'
import { ConfigurationError } from 'ftl-http'
import { createSettings } from './settings.ts'

const from = (values: Record<string, string>) => createSettings({ get: (name) => values[name] })

describe('tool_components', () => {
  it.each([
    ['echo,calculator', ['echo', 'calculator']],
    [' echo , calculator ,', ['echo', 'calculator']],
    ['["weather-tool", "calculator-tool"]', ['weather-tool', 'calculator-tool']],
    ['echo,echo', ['echo']],
    ['', []],
  ])('reads %j', (tool_components, expected) => {
    expect([...from({ tool_components }).toolComponents.keys()]).toEqual(expected)
  })

  it('has the component that each of them is in', () => {
    const { toolComponents } = from({ tool_components: 'echo@basics, plain' })
    expect([...toolComponents]).toEqual([
      ['echo', 'basics'],
      ['plain', 'plain'],
    ])
  })

  it.each([
    'a b',
    'echo/../x',
    'echo.evil.example',
    '["echo"',
    '[1]',
    'Echo',
    'a@b@c',
    'a@',
    '@b',
    'a@b.example',
  ])('refuses %j, naming the variable', (tool_components) => {
    const settings = from({ tool_components })
    expect(() => settings.toolComponents).toThrow(ConfigurationError)
    expect(() => settings.toolComponents).toThrow('"tool_components"')
  })
})

describe('bridge_url', () => {
  it('is no address where the application does not declare it', () => {
    expect(from({}).bridge).toBe('off')
  })

  it.each([
    ['http://127.0.0.1:8001', 'ws://127.0.0.1:8001'],
    ['https://bridge.example/', 'wss://bridge.example'],
    ['ws://bridge.example/base/', 'ws://bridge.example/base'],
    ['wss://bridge.example', 'wss://bridge.example'],
  ])('turns %s into %s', (bridge_url, expected) => {
    expect(from({ bridge_url }).bridge).toEqual({ url: expected })
  })

  it.each([
    ['', 8001],
    [':4001', 4001],
  ])('takes %j for a port of the host the client called', (bridge_url, port) => {
    expect(from({ bridge_url }).bridge).toEqual({ port })
  })

  it.each(['bridge.example:8001', 'ftp://x', 'http://', 'ws://a b', ':0', ':70000', ':x'])(
    'refuses %j',
    (bridge_url) => {
      expect(() => from({ bridge_url }).bridge).toThrow('"bridge_url"')
    },
  )
})

describe('milliseconds', () => {
  it('has the documented defaults', () => {
    const { discoveryTimeoutMs, callTimeoutMs, waitLimitMs, catalogTtlMs, requestStateTtlMs } =
      from({})
    expect([discoveryTimeoutMs, callTimeoutMs, waitLimitMs]).toEqual([2_000, 30_000, 50_000])
    expect([catalogTtlMs, requestStateTtlMs]).toEqual([5_000, 600_000])
  })

  it.each(['0', '-1', 'soon', '1e99'])('refuses %j', (call_timeout_ms) => {
    expect(() => from({ call_timeout_ms }).callTimeoutMs).toThrow('"call_timeout_ms"')
  })

  it('may be 0 for the catalog, which is then never used twice', () => {
    expect(from({ catalog_ttl_ms: '0' }).catalogTtlMs).toBe(0)
    expect(() => from({ catalog_ttl_ms: '-1' }).catalogTtlMs).toThrow('"catalog_ttl_ms"')
    expect(() => from({ request_state_ttl_ms: '0' }).requestStateTtlMs).toThrow('above 0')
  })
})

describe('list_settings', () => {
  const of = (list_settings: string) => from({ list_settings }).listSettings

  it('has a default for each value', () => {
    expect(from({}).listSettings).toMatchObject({
      toolsMode: 'auto',
      budgetTokens: 8_000,
      alwaysVisible: [],
      pageSize: 1_000,
    })
    expect(of('tools_mode=; list_budget_tokens=; always_visible=')).toMatchObject({
      toolsMode: 'auto',
      budgetTokens: 8_000,
    })
  })

  it('reads the values', () => {
    const text = 'tools_mode=on; list_budget_tokens=10; always_visible=a  b/*; list_page_size=1'
    expect(of(text)).toMatchObject({
      toolsMode: 'on',
      budgetTokens: 10,
      alwaysVisible: ['a', 'b/*'],
      pageSize: 1,
    })
  })

  it.each(['0', '-1', '1.5', 'many', '1e99'])('refuses a page size of %j', (size) => {
    expect(() => of(`list_page_size=${size}`)).toThrow('"list_page_size", which must be')
  })

  it.each([
    ['tools_mode=maybe', '"tools_mode", which must be one of auto, on, off'],
    ['list_budget_tokens=0', '"list_budget_tokens", which must be a whole number above 0'],
    ['tools_mod=on', 'must be names and values such as'],
    ['on', 'must be names and values such as'],
  ])('refuses %s', (text, problem) => {
    expect(() => of(text)).toThrow(problem)
  })
})

describe('request_state_key', () => {
  it('is none unless it is set', () => {
    expect(from({}).requestStateKey).toBe('')
    expect(from({ request_state_key: '0123456789abcdef' }).requestStateKey).toBe('0123456789abcdef')
  })

  it('refuses a short one without showing it', () => {
    const settings = from({ request_state_key: 'hunter2hunter2x' })
    expect(() => settings.requestStateKey).toThrow('"request_state_key" must have at least 16')
    expect(() => settings.requestStateKey).toThrow(/^(?!.*hunter2)/)
  })
})

describe.each([
  [
    'allowed_origins',
    'allowedOrigins',
    [
      'https://app.example',
      'http://a.example:8080',
      'https://*.example.com',
      'moz-extension://1-a',
    ],
    [
      'app.example',
      'https://app.example/',
      'https://a/b',
      'https://u@a',
      'https://*',
      'null',
      '*.a.b',
    ],
  ],
  [
    'allowed_hosts',
    'allowedHosts',
    ['gw.example', 'gw.example:8443', '*.example.com', '*.example.com:80', '[::1]:3000'],
    ['https://gw.example', 'gw.example/', 'a b', 'a.*.example', '*example.com', 'gw.example:x'],
  ],
] as const)('%s', (variable, name, good, bad) => {
  it('is none unless it is set', () => {
    expect(from({})[name]).toEqual([])
  })

  it('takes a comma list, in any case', () => {
    expect(from({ [variable]: ` ${good.join(' , ').toUpperCase()},, *` })[name]).toEqual([
      ...good,
      '*',
    ])
  })

  it.each(bad)('refuses %j, which would allow nothing or something else', (entry) => {
    const settings = from({ [variable]: `${good[0]},${entry}` })
    expect(() => settings[name]).toThrow(ConfigurationError)
    expect(() => settings[name]).toThrow(`"${variable}" names ${JSON.stringify(entry)}`)
  })
})

describe('stream_start', () => {
  it('is plain unless it is set', () => {
    expect(from({}).streamStart).toBe('plain')
  })

  it('refuses what it does not know', () => {
    expect(() => from({ stream_start: 'maybe' }).streamStart).toThrow('"stream_start"')
  })
})

it('reads a variable once and only when it is used', () => {
  const reads: string[] = []
  const settings = createSettings({
    get: (name) => {
      reads.push(name)
      return undefined
    },
  })
  expect(reads).toEqual([])
  void settings.callTimeoutMs
  void settings.callTimeoutMs
  expect(reads).toEqual(['call_timeout_ms'])
})
