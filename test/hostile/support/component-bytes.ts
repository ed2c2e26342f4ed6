// Component files written byte by byte: what no text format and no tool would write.
import { encodeName, encodeU32 } from '../../../host/src/wasm/binary.ts'

const HEAD = [0x00, 0x61, 0x73, 0x6d, 0x0d, 0x00, 0x01, 0x00]

export const section = (id: number, ...body: number[]): number[] => [
  id,
  ...encodeU32(body.length),
  ...body,
]

export const component = (...sections: (readonly number[] | Uint8Array)[]): Uint8Array =>
  Buffer.concat([Buffer.from(HEAD), ...sections.map((each) => Buffer.from(each))])

export const coreModule = (module: Uint8Array): number[] => section(1, ...module)

/** Sorts of core definitions, as an alias or export names them. */
export const CORE = { function: 0, table: 1, memory: 2, global: 3, instance: 0x12 } as const

export const instantiate = (module: number, args: Readonly<Record<string, number>> = {}) => {
  const list = Object.entries(args).flatMap(([name, index]) => [
    ...encodeName(name),
    CORE.instance,
    ...encodeU32(index),
  ])
  return section(2, 1, 0, ...encodeU32(module), Object.keys(args).length, ...list)
}

/** A core instance that is a list of definitions. */
export const group = (...exports: [name: string, sort: number, index: number][]) =>
  section(
    2,
    1,
    1,
    exports.length,
    ...exports.flatMap(([name, sort, index]) => [...encodeName(name), sort, ...encodeU32(index)]),
  )

/** Takes `name` of a core instance as a definition of the sort. */
export const alias = (sort: number, instance: number, name: string) =>
  section(6, 1, 0, sort, 1, ...encodeU32(instance), ...encodeName(name))

/** Exports an empty instance as the handler, so that the host goes on with the file. */
export const emptyHandler = (): number[] => [
  ...section(5, 1, 1, 0),
  ...section(11, 1, 0, ...encodeName('wasi:http/incoming-handler@0.2.6'), 5, 0, 0),
]
