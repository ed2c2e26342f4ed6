import { describe, expect, it } from 'vitest'
import { ConfigurationError, createSettings } from './settings.ts'

const from = (values: Record<string, string>) => createSettings({ get: (name) => values[name] })

describe('tool_components', () => {
  it.each([
    ['echo,calculator', ['echo', 'calculator']],
    [' echo , calculator ,', ['echo', 'calculator']],
    ['["weather-tool", "calculator-tool"]', ['weather-tool', 'calculator-tool']],
    ['echo,echo', ['echo']],
    ['', []],
  ])('reads %j', (tool_components, expected) => {
    expect(from({ tool_components }).toolComponents).toEqual(expected)
  })

  it.each(['a b', 'echo/../x', 'echo.evil.example', '["echo"', '[1]', 'Echo', 'a@b'])(
    'refuses %j, naming the variable',
    (tool_components) => {
      const settings = from({ tool_components })
      expect(() => settings.toolComponents).toThrow(ConfigurationError)
      expect(() => settings.toolComponents).toThrow('"tool_components"')
    },
  )
})

describe('bridge_url', () => {
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
    const { discoveryTimeoutMs, callTimeoutMs, waitLimitMs } = from({})
    expect([discoveryTimeoutMs, callTimeoutMs, waitLimitMs]).toEqual([2_000, 30_000, 50_000])
  })

  it.each(['0', '-1', 'soon', '1e99'])('refuses %j', (call_timeout_ms) => {
    expect(() => from({ call_timeout_ms }).callTimeoutMs).toThrow('"call_timeout_ms"')
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
