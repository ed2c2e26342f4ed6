import { Command } from 'commander'
import { readFile } from 'node:fs/promises'
import { expect, test, vi } from 'vitest'
import { type HostFlags, withHostOptions } from './host-options.ts'
import { parseRuntimeConfig } from '../../../host/src/runtime-config/runtime-config.ts'
import { limitsOf, withLimitOptions } from './limit-options.ts'

function parse(...args: string[]): HostFlags {
  const command = withHostOptions(new Command('up')).exitOverride()
  command.configureOutput({ writeErr: () => {} })
  return command.parse(args, { from: 'user' }).opts<HostFlags>()
}

test('flags have the names and forms of spin up', () => {
  expect(
    parse(
      ...['-f', 'app', '--listen', '0.0.0.0:80', '-e', 'A=1', '--env', 'B=x=y', '-q'],
      ...['--variable', 'one=1', '--variable', 'two=', '--key-value', 'job:1={"a":1}'],
      ...['--state-dir', '', '-L', 'logs', '--truncate-logs', '--profile', 'debug'],
      ...['--runtime-config-file', 'runtime.toml', '--max-instance-memory', '67108864'],
    ),
  ).toMatchObject({
    from: 'app',
    listen: '0.0.0.0:80',
    env: { A: '1', B: 'x=y' },
    variable: { one: '1', two: '' },
    keyValue: { 'job:1': '{"a":1}' },
    stateDir: '',
    logDir: 'logs',
    truncateLogs: true,
    quiet: true,
    profile: 'debug',
    runtimeConfigFile: 'runtime.toml',
    maxInstanceMemory: 67_108_864,
  })
  expect(parse('--follow', 'a', '--follow', 'b').follow).toEqual(['a', 'b'])
})

test("Spin's environment variables stand for flags", () => {
  vi.stubEnv('RUNTIME_CONFIG_FILE', '/etc/runtime.toml')
  vi.stubEnv('SPIN_MAX_INSTANCE_MEMORY', '1048576')
  vi.stubEnv('SPIN_HTTP_LISTEN_ADDR', '127.0.0.1:5000')
  vi.stubEnv('SPIN_LOG_DIR', '/var/log/app')
  expect(parse()).toMatchObject({
    runtimeConfigFile: '/etc/runtime.toml',
    maxInstanceMemory: 1_048_576,
    listen: '127.0.0.1:5000',
    logDir: '/var/log/app',
  })
  vi.unstubAllEnvs()
})

test('every limit of the host is a flag', () => {
  const flags = parse(
    ...['--workers', '3', '--max-blocking-ms', '100', '--request-timeout-ms', '200'],
    ...['--abandoned-ms', '300', '--max-requests', '4', '--max-instances', '5'],
    ...['--max-instance-memory', '6', '--max-chain-depth', '7', '--max-header-bytes', '8'],
    ...['--max-body-bytes', '9', '--drain-ms', '0', '--header-timeout-ms', '10'],
    ...['--body-idle-ms', '11', '--max-connections', '12', '--max-client-connections', '13'],
    ...['--max-client-requests', '14'],
  )
  expect(limitsOf(flags)).toEqual({
    workers: 3,
    maxBlockingMs: 100,
    requestTimeoutMs: 200,
    abandonedMs: 300,
    maxRequests: 4,
    maxInstances: 5,
    maxInstanceMemory: 6,
    maxChainDepth: 7,
    maxHeaderBytes: 8,
    maxBodyBytes: 9,
    drainMs: 0,
    headerTimeoutMs: 10,
    bodyIdleMs: 11,
    maxConnections: 12,
    maxClientConnections: 13,
    maxClientRequests: 14,
  })
  expect(limitsOf(parse())).toEqual({})
})

test('every limit of the host is a key of the runtime configuration', () => {
  const elsewhere = ['--burst', '--max-calls-per-caller', '--max-instance-memory']
  const keys = withLimitOptions(new Command('up'))
    .options.flatMap(({ long }) => long ?? [])
    .filter((flag) => !elsewhere.includes(flag))
    .map((flag) => flag.slice(2).replaceAll('-', '_'))
  const { limits } = parseRuntimeConfig(
    `[limits]\n${keys.map((key) => `${key} = 20000000`).join('\n')}`,
    '/runtime.toml',
  )
  expect(Object.keys(limits)).toHaveLength(keys.length)
})

test('and is in the documentation', async () => {
  const page = await readFile(new URL('../../../docs/operations.md', import.meta.url), 'utf8')
  const help = withHostOptions(new Command('up')).helpInformation()
  const flags = Array.from(help.matchAll(/^ +(--(?:max-|drain|workers|abandoned|request)\S*) </gm))
  expect(flags.length).toBeGreaterThan(10)
  for (const [, flag] of flags) expect(page).toContain(`| \`${flag} `)
})

test('proxies are given as lists', () => {
  const flags = parse('--trusted-proxies', '10.0.0.0/8, 192.0.2.7', '--trusted-proxies', 'fd00::/8')
  expect(flags.trustedProxies).toEqual(['10.0.0.0/8', '192.0.2.7', 'fd00::/8'])
  expect(parse().trustedProxies).toEqual([])
})

test('a guest may be given all the time there is', () => {
  const flags = parse('--request-timeout-ms', 'none', '--max-blocking-ms', 'none')
  expect(limitsOf(flags)).toEqual({ requestTimeoutMs: Infinity, maxBlockingMs: Infinity })
})

test.each([
  ['--sqlite', 'CREATE TABLE x'],
  ['--tls-cert', 'cert.pem'],
  ['--tls-key', 'key.pem'],
  ['--allow-transient-write'],
  ['--temp', 'folder'],
  ['--disable-cache'],
  ['--disable-pooling'],
  ['--max-instance-reuse-count', '5'],
  ['--request-timeout', '5s'],
])('%s is refused with its reason', (...args) => {
  expect(() => parse(...args)).toThrow(`${args[0]} is a flag of spin up that has no effect here: `)
})

test.each([
  [['--quiet', '--follow', 'a'], 'cannot be used with'],
  [['--env', 'A'], 'give name=value'],
  [['--variable', 'A'], 'neither name=value nor @file'],
  [['--max-instance-memory', '1GB'], 'give bytes'],
  [['--workers', '0'], 'give a whole number, at least 1'],
  [['--workers', 'none'], 'give a whole number'],
  [['--drain-ms', '1.5'], 'give milliseconds'],
  [['--requests', 'some'], 'Allowed choices are all, calls, problems, none'],
  [['--log-format', 'xml'], 'Allowed choices are plain, json'],
  [['--no-such-flag'], 'unknown option'],
])('%j is a mistake', (args, message) => {
  expect(() => parse(...args)).toThrow(message)
})
