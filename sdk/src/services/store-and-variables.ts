/** The key-value stores and variables of a context, whose errors say what to write in `spin.toml`. */
import type { ContextKeyValue, ContextPlatform, ToolStore, ToolVariables } from '../tool/context.ts'
import { ConfigurationError } from '../tool/errors.ts'

/** A store that is opened when it is first used. */
export function storeOf(
  platform: Pick<ContextPlatform, 'openKeyValue'>,
  component: string,
  label = 'default',
): ToolStore {
  let opened: Promise<ContextKeyValue> | undefined
  const store = () => (opened ??= platform.openKeyValue(label).catch(explain))
  const get = async (key: string) => (await store()).get(key)
  const getText = async (key: string) => {
    const bytes = await get(key)
    return bytes && new TextDecoder().decode(bytes)
  }
  const set = async (key: string, value: Uint8Array | string) => (await store()).set(key, value)
  return {
    get,
    getText,
    async getJson<T>(key: string) {
      const text = await getText(key)
      return text === undefined ? undefined : (JSON.parse(text) as T)
    },
    set,
    setJson: (key, value) => set(key, JSON.stringify(value)),
    setIf: async (key, expected, value) => (await store()).setIf?.(key, expected, value),
    delete: async (key) => (await store()).delete(key),
    exists: async (key) => (await store()).exists(key),
    keys: async () => (await store()).keys(),
    open: (other) => storeOf(platform, component, other),
  }

  function explain(cause: unknown): never {
    // Tags of the host: https://spinframework.dev/v3/kv-store-api-guide
    const tag = (cause as { tag?: unknown } | undefined)?.tag
    if (tag !== 'access-denied' && tag !== 'no-such-store') throw cause
    throw new ConfigurationError(
      `the key-value store "${label}" is not open to this component. Write in spin.toml:\n` +
        `  [component.${component}]\n  key_value_stores = ["${label}"]`,
      { cause },
    )
  }
}

export function variablesOf(
  { variables }: Pick<ContextPlatform, 'variables'>,
  component: string,
): ToolVariables {
  return {
    get: (name) => variables.get(name),
    require(name) {
      const value = variables.get(name)
      if (value !== undefined) return value
      throw new ConfigurationError(
        `the variable "${name}" is not set. Write in spin.toml:\n` +
          `  [variables]\n  ${name} = { required = true }\n` +
          `  [component.${component}.variables]\n  ${name} = "{{ ${name} }}"`,
      )
    },
  }
}
