import { Command } from 'commander'
import { expect, test, vi } from 'vitest'
import { type HostFlags, withHostOptions } from './host-options.ts'

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
  [['--no-such-flag'], 'unknown option'],
])('%j is a mistake', (args, message) => {
  expect(() => parse(...args)).toThrow(message)
})
