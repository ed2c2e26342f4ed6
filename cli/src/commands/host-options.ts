/**
 * Options of the host, with the names and meanings that `spin up` gives them.
 * @see https://spinframework.dev/v4/cli-reference#spin-up
 */
import { type Command, InvalidArgumentError, Option } from 'commander'
import { PLATFORM_NAMES, type PlatformName, readVariables } from 'ftl-host'
import { CommandFailure } from '../terminal/failure.ts'
import type { LogFormat } from '../output/log-lines.ts'
import { REQUEST_CHOICES, type RequestChoice } from '../output/request-choice.ts'
import { type LimitFlags, withLimitOptions } from './limit-options.ts'
import { GROUPS } from './option-groups.ts'
import { fromOption, listenOption } from './options.ts'
import { pairsOption } from './pairs-option.ts'
import { type RateFlags, withRateOptions } from './rate-options.ts'

export interface HostFlags extends LimitFlags, RateFlags {
  from: string
  listen: string
  profile?: string
  platform?: PlatformName
  /** @default false */
  sandboxedGateway?: boolean
  /** @default false */
  insecure?: boolean
  variable: Record<string, string>
  env: Record<string, string>
  stateDir?: string
  trustedProxies: string[]
  keyValue: Record<string, string>
  runtimeConfigFile?: string
  logDir?: string
  truncateLogs?: boolean
  follow: string[]
  quiet?: boolean
  logFormat: LogFormat
  /** @default chosen by the command */
  requests?: RequestChoice
}

export function withHostOptions(command: Command): Command {
  for (const [flags, reason] of Object.entries(REFUSED)) {
    command.addOption(new Option(flags).hideHelp().argParser(refuse(flags, reason)).preset(''))
  }
  command
    .addOption(fromOption())
    .option('--profile <name>', 'apply what `[component.X.profile.NAME]` changes')
    .addOption(
      new Option(
        '--platform <name>',
        'keep to the limits of this platform: sizes, memory, time, bodies, stores (docs/deploying.md#akamai-functions)',
      )
        .choices(PLATFORM_NAMES)
        .helpGroup(GROUPS.serving),
    )
    .addOption(listenOption())
    .addOption(
      new Option(
        '--insecure',
        'serve other machines without authentication, or with `auth_issuers` and no `auth_audience`',
      ).helpGroup(GROUPS.serving),
    )
    .addOption(
      new Option(
        '--sandboxed-gateway',
        'run the gateway and `remote` in sandboxes, as on Spin; by default, those that come with ftl run beside the components, which is faster',
      ).helpGroup(GROUPS.serving),
    )
    .addOption(variableOption())
    .addOption(
      pairsOption('-e, --env <name=value>', 'set an environment variable of every component'),
    )
    .addOption(
      new Option(
        '--state-dir <path>',
        'folder of the key-value database; `""` keeps it in memory',
      ).default(undefined, '`.spin` beside `spin.toml`'),
    )
    .addOption(
      pairsOption(
        '--key-value <key=value>',
        'write an entry to the default store of every component',
      ).helpGroup(GROUPS.serving),
    )
    .addOption(
      new Option(
        '--trusted-proxies <list>',
        'addresses and CIDR blocks of proxies whose `X-Forwarded-For` is used, comma-separated',
      )
        .helpGroup(GROUPS.serving)
        .default([], 'this machine')
        .argParser((list: string, before: string[] = []) => [
          ...before,
          ...list
            .split(',')
            .map((entry) => entry.trim())
            .filter((entry) => entry !== ''),
        ]),
    )
    .addOption(
      new Option(
        '--runtime-config-file <path>',
        'stores, variables, folders and limits of this machine (docs/spin-toml.md#runtime-configuration)',
      ).env('RUNTIME_CONFIG_FILE'),
    )
    .addOption(
      new Option(
        '-L, --log-dir <path>',
        'also write the output of components to files in this folder',
      )
        .env('SPIN_LOG_DIR')
        .helpGroup(GROUPS.output),
    )
    .addOption(new Option('--truncate-logs', 'empty these files first').helpGroup(GROUPS.output))
    .addOption(
      new Option('--follow <id>', 'show only the output of this component; repeatable')
        .helpGroup(GROUPS.output)
        .default([], 'all')
        .argParser((id: string, before: string[]) => [...before, id]),
    )
    .addOption(
      new Option('-q, --quiet', 'hide requests and the output of components').conflicts('follow'),
    )
    .addOption(
      new Option(
        '--requests <which>',
        'which requests are shown; `calls` leaves out successful reads',
      )
        .choices(REQUEST_CHOICES)
        .default(undefined, '`all`; `calls` in `start` and `dev`')
        .helpGroup(GROUPS.output),
    )
    .addOption(
      new Option('--log-format <format>', 'format of requests, output of components and problems')
        .choices(['plain', 'json'])
        .default('plain')
        .helpGroup(GROUPS.output),
    )
  return withLimitOptions(withRateOptions(command))
}

export const variableOption = () =>
  new Option(
    '--variable <name=value>',
    'set a variable; `name=@file` reads a file, `@file.json` or `@file.toml` many; repeatable',
  )
    .default({})
    .argParser(collectVariables)

/** Flags of `spin up` that have no effect here. Refused with a reason, because to ignore them would mislead. */
const REFUSED: Readonly<Record<string, string>> = {
  '--sqlite [statement]': 'this host has no SQLite databases for components, only key-value stores',
  '--tls-cert [path]': 'this host speaks plain HTTP; put a proxy that ends TLS in front',
  '--tls-key [path]': 'this host speaks plain HTTP; put a proxy that ends TLS in front',
  '--allow-transient-write': 'components of this host can only read their files',
  '--temp [path]': 'this host reads files where they are and copies nothing',
  '--disable-cache':
    'prepared components are always cached in .ftl/cache; remove that folder instead',
  '--cache [path]': 'there is no Wasmtime here to configure',
  '--disable-pooling': 'there is no Wasmtime here to configure',
  '--debug-info': 'there is no Wasmtime here to configure',
  '--http1-max-buf-size [bytes]': 'use --max-header-bytes',
  '--max-instance-reuse-count [n]': 'it concerns WASI P3 components, which this host does not run',
  '--max-instance-concurrent-reuse-count [n]':
    'it concerns WASI P3 components, which this host does not run',
  '--idle-instance-timeout [time]': 'it concerns WASI P3 components, which this host does not run',
  '--request-timeout [time]': 'it concerns WASI P3 components, which this host does not run',
  '--experimental-wasi-otel': 'components of this host cannot send telemetry of their own',
}

function refuse(flags: string, reason: string): () => never {
  const [flag] = flags.split(' ')
  return () => {
    throw new CommandFailure(`${flag} is a flag of spin up that has no effect here: ${reason}`)
  }
}

function collectVariables(text: string, before: Record<string, string>): Record<string, string> {
  try {
    return { ...before, ...readVariables(text) }
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : String(error))
  }
}
