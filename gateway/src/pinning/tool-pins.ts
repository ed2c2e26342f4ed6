/** The variable `tool_pins`: what the operator has accepted of each component's description. */
import { type ComponentPins, isObject, isString, type PinFile } from 'ftl-contract'
import type { Parse, SettingVariables } from 'ftl-http'
import { KINDS } from '../catalog/catalog.ts'
import { jsonObject } from '../setting-values.ts'

const toolPins: Parse<PinFile | undefined> = (text, refuse) => {
  if (text === '') return undefined
  const value = jsonObject(text, refuse)
  if (value.version !== 1 || !isObject(value.components)) {
    return refuse('must be the text of an ftl.lock of version 1')
  }
  for (const [component, pins] of Object.entries(value.components)) {
    // The text goes to clients, so it names nothing that a component has chosen.
    if (!isPins(pins)) refuse(`has pins of the component "${component}" that cannot be read`)
  }
  return value as unknown as PinFile
}

function isPins(value: unknown): value is ComponentPins {
  return (
    isObject(value) &&
    KINDS.every((kind) => {
      const pins = value[kind] ?? {}
      return (
        isObject(pins) && Object.values(pins).every((pin) => isObject(pin) && isString(pin.digest))
      )
    })
  )
}

export interface PinSettings {
  /**
   * `tool_pins`: the text of `ftl.lock`. What a component publishes otherwise is not served, so that a component or a
   * server behind it cannot change what a model reads after a person has accepted it. Read when components are asked.
   *
   * @default undefined, nothing is pinned
   */
  readonly toolPins: PinFile | undefined
}

declare module '../settings.ts' {
  interface Settings extends PinSettings {}
}

export const pinVariables: SettingVariables<PinSettings> = { toolPins: ['tool_pins', toolPins] }
