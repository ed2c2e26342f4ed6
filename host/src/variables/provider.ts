/** Where values of variables come from besides the manifest. */
import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'

/** Plain data, so that every thread can look values up by itself. */
export type VariablesProvider =
  | { type: 'static'; values: Readonly<Record<string, string>> }
  | {
      type: 'env'
      /** What stands before the name, without the underscore. */
      prefix: string
      dotenvFile: string | undefined
    }

export type Environment = Readonly<Record<string, string | undefined>>

export type Lookup = (name: string) => string | undefined

/** @param env is looked at for each value, because it may change; a `.env` is read once. */
export function lookupOf(provider: VariablesProvider, env: Environment): Lookup {
  if (provider.type === 'static') {
    const { values } = provider
    return (name) => (Object.hasOwn(values, name) ? values[name] : undefined)
  }
  const { prefix, dotenvFile } = provider
  const dotenv =
    dotenvFile !== undefined && existsSync(dotenvFile)
      ? parseEnv(readFileSync(dotenvFile, 'utf8'))
      : {}
  return (name) => {
    const key = environmentName(name, prefix)
    return unquoted(env[key]) ?? dotenv[key]
  }
}

/** A `.env` has quotes around JSON; `podman run --env-file .env` and `docker run` pass them on. */
function unquoted(value: string | undefined): string | undefined {
  return value !== undefined && /^'[^']*'$/.test(value) ? value.slice(1, -1) : value
}

/** `SPIN_VARIABLE_NAME`: value of the variable `name` of the application. */
export function environmentName(name: string, prefix = 'SPIN_VARIABLE'): string {
  const upper = name.toUpperCase()
  return prefix === '' ? upper : `${prefix}_${upper}`
}
