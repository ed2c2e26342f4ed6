import { describe, expect, it, test } from 'vitest'
import { loadRuntimeConfig, parseRuntimeConfig } from './runtime-config.ts'

const parse = (text: string) => parseRuntimeConfig(text, '/etc/app/runtime.toml')

test('stores lie beside the file, where they are told to, or nowhere', () => {
  const { stores } = parse(`
[key_value_store.beside]
type = "spin"
path = "data/kv.db"
[key_value_store.there]
type = "spin"
path = "/var/kv.db"
[key_value_store.memory]
type = "spin"
[key_value_store.default]
type = "redis"
url = "rediss://user:secret@cache:6380/2"
`)
  expect(stores).toEqual({
    beside: { type: 'spin', file: '/etc/app/data/kv.db' },
    there: { type: 'spin', file: '/var/kv.db' },
    memory: { type: 'spin' },
    default: { type: 'redis', url: 'rediss://user:secret@cache:6380/2' },
  })
})

test('providers keep their order, under the old name too', () => {
  const { providers } = parse(`
[[variables_provider]]
type = "static"
values = { token = "t" }
[[config_provider]]
type = "env"
prefix = "APP"
dotenv_path = "/etc/app/.env"
`)
  expect(providers).toEqual([
    { type: 'static', values: { token: 't' } },
    { type: 'env', prefix: 'APP', dotenvFile: '/etc/app/.env' },
  ])
})

test('folders and memory are read, and an empty file changes nothing', () => {
  expect(parse('state_dir = "/s"\nlog_dir = ""\nmax_instance_memory = 1048576')).toMatchObject({
    stateDir: '/s',
    logDir: '',
    maxInstanceMemory: 1_048_576,
  })
  expect(parse('')).toEqual({
    stores: {},
    providers: [],
    stateDir: undefined,
    logDir: undefined,
    maxInstanceMemory: undefined,
    limits: {},
    rateLimits: {},
    audit: {},
  })
})

test('rate limits and the audit log are read; its path belongs to the file', () => {
  const text = `
    [rate_limits]
    caller = "600/m"
    failures = "none"
    burst = 20
    max_calls_per_caller = 4
    [audit_log]
    path = "log/audit.jsonl"
    required = true`
  expect(parse(text)).toMatchObject({
    rateLimits: {
      rateLimit: '600/m',
      rateLimitFailures: 'none',
      burst: 20,
      maxCallsPerCaller: 4,
    },
    audit: { auditLog: '/etc/app/log/audit.jsonl', auditRequired: true },
  })
})

describe('what it cannot do is refused with file and key', () => {
  test.each([
    ['baz = 1', 'baz: is not a key of a runtime configuration'],
    ['[key_value_store.x]\ntype = "spin"\nfile = "a"', 'key_value_store.x.file: is not a key'],
    ['[key_value_store.x]\ntype = "azure_cosmos"', '"azure_cosmos" is not supported by this host'],
    ['[key_value_store.x]\ntype = "aws_dynamo"', '"spin" and "redis"'],
    ['[key_value_store.x]\npath = "a"', 'key_value_store.x.type: is missing'],
    ['[key_value_store.x]\ntype = "redis"', 'key_value_store.x.url: is missing'],
    ['[key_value_store.x]\ntype = "redis"\nurl = "cache:1"', 'must begin with redis://'],
    ['[[variables_provider]]\ntype = "vault"', 'variables_provider[0].type: "vault"'],
    ['[[variables_provider]]\ntype = "static"\nvalues = { a = 1 }', 'values.a: must be a string'],
    ['[sqlite_database.default]\ntype = "spin"', 'sqlite_database: is not supported'],
    ['[llm_compute]\ntype = "spin"', 'llm_compute: is not supported'],
    ['max_instance_memory = "1 GB"', 'max_instance_memory: must be a number of bytes'],
    ['a = ', '/etc/app/runtime.toml:1:'],
  ])('%s', (text, message) => {
    expect(() => parse(text)).toThrow(message)
    expect(() => parse(text)).toThrow('/etc/app/runtime.toml')
  })

  test('and so is a file that is not there', async () => {
    await expect(loadRuntimeConfig('/no/such/runtime.toml')).rejects.toThrow('ENOENT')
  })
})

describe('[limits]', () => {
  it('has limits by the names of the flags', () => {
    const text = `
[limits]
workers = 3
max_blocking_ms = "none"
drain_ms = 0
max_client_requests = 7`
    expect(parse(text).limits).toEqual({
      workers: 3,
      maxBlockingMs: Infinity,
      drainMs: 0,
      maxClientRequests: 7,
    })
  })

  it.each([
    ['workers = 0', 'limits.workers: must be a whole number, at least 1'],
    ['workers = "none"', 'limits.workers: must be a whole number'],
    ['max_requests = 1.5', 'limits.max_requests: must be a whole number'],
    ['max_worker_heap = 1000', 'at least 16777216'],
    ['request_timeout_ms = -1', 'at least 1, or "none"'],
    ['max_request = 5', 'limits.max_request'],
  ])('%s is a mistake', (line, message) => {
    expect(() => parse(`[limits]\n${line}`)).toThrow(message)
  })
})
