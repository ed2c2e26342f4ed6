/** The environment of the process that runs guests: what Node and OpenTelemetry read, and no secret of the user's. */
import type { Environment } from '../variables/provider.ts'

/** Names of variables that Node, the C library and Windows read. */
const NAMES = new Set([
  ...['TZ', 'LANG', 'LC_ALL', 'SystemRoot', 'UV_THREADPOOL_SIZE', 'LD_LIBRARY_PATH'],
  ...['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'NODE_USE_SYSTEM_CA'],
  ...['NODE_USE_ENV_PROXY', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'],
  ...['http_proxy', 'https_proxy', 'no_proxy', 'NODE_NO_WARNINGS', 'NODE_TLS_REJECT_UNAUTHORIZED'],
])

/** Modules that the user loads into each Node: the process may not read them. */
const LOADS_MODULES = /(^|\s)(-r|--require|--import|--loader|--experimental-loader)\b/

export function telemetryEnvironment(env: Environment): Record<string, string> {
  return kept(env, (name) => name.startsWith('OTEL_'))
}

export function hostEnvironment(temporary: string): Record<string, string> {
  const { NODE_OPTIONS: options = '' } = process.env
  return {
    ...kept(process.env, (name) => name.startsWith('OTEL_') || NAMES.has(name)),
    ...(options !== '' && !LOADS_MODULES.test(options) && { NODE_OPTIONS: options }),
    TMPDIR: temporary,
    TEMP: temporary,
    TMP: temporary,
  }
}

function kept(env: Environment, is: (name: string) => boolean): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && is(entry[0]),
    ),
  )
}
