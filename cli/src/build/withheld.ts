/**
 * Interfaces that a component is built without, because its manifest does not let it use them.
 *
 * The engine imports everything that any component may need. The imports that a component must not have are answered inside
 * of it, by a small module that refuses: the built file then does not import the interface, on any host.
 */

/** The interfaces that a component can be built without. */
export type Withheld = 'wasi:http/outgoing-handler' | 'fermyon:spin/key-value'

/** A function of a module that refuses: `writes` are bytes at offsets of the result, `[]` for one that is never reached. */
interface Refusal {
  name: string
  /** Parameters, each an i32; the last one is the address of the result, if it writes one. */
  parameters: number
  writes: readonly (readonly [offset: number, byte: number])[]
}

/** Of a `result`: the second case. */
const ERROR = 1

const MODULES: Readonly<Record<Withheld, { module: string; functions: readonly Refusal[] }>> = {
  'wasi:http/outgoing-handler': {
    module: 'wasi:http/outgoing-handler@0.2.10',
    // The error code HTTP-request-denied, as hosts answer for a host that is not allowed.
    functions: [
      {
        name: 'handle',
        parameters: 4,
        writes: [
          [0, ERROR],
          [8, 15],
        ],
      },
    ],
  },
  'fermyon:spin/key-value': {
    module: 'fermyon:spin/key-value@2.0.0',
    functions: [
      // The error access-denied, as hosts answer for a store that the manifest does not name.
      {
        name: '[static]store.open',
        parameters: 3,
        writes: [
          [0, ERROR],
          [4, 2],
        ],
      },
      // Without a store there is nothing to call these with.
      { name: '[method]store.get', parameters: 4, writes: [] },
      { name: '[method]store.set', parameters: 6, writes: [] },
      { name: '[method]store.delete', parameters: 4, writes: [] },
      { name: '[method]store.exists', parameters: 4, writes: [] },
      { name: '[method]store.get-keys', parameters: 2, writes: [] },
      { name: '[resource-drop]store', parameters: 1, writes: [] },
    ],
  },
}

/** The modules that take the place of the imports, as `wasm-tools component new` takes adapters. */
export function refusals(withheld: readonly Withheld[]): [name: string, module: Uint8Array][] {
  return withheld.map((name) => {
    const { module, functions } = MODULES[name]
    return [module, encode(functions)]
  })
}

const I32 = 0x7f
const END = 0x0b
const UNREACHABLE = 0x00

/** @see https://webassembly.github.io/spec/core/binary/modules.html */
function encode(functions: readonly Refusal[]): Uint8Array {
  const types = functions.map(({ parameters }) => [
    0x60,
    ...vector(Array(parameters).fill([I32])),
    0,
  ])
  const memory = [...text('env'), ...text('memory'), 0x02, 0x00, 0x00]
  const exported = functions.map(({ name }, index) => [...text(name), 0x00, index])
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, vector(types)),
    ...section(2, vector([memory])),
    ...section(3, vector(functions.map((_, index) => [index]))),
    ...section(7, vector(exported)),
    ...section(10, vector(functions.map(bodyOf))),
  ])
}

function bodyOf({ parameters, writes }: Refusal): number[] {
  const stores = writes.flatMap(([offset, byte]) => {
    const address = [0x20, parameters - 1]
    const value = [0x41, byte]
    // i32.store8, of any alignment.
    return [...address, ...value, 0x3a, 0x00, offset]
  })
  const code = [0x00, ...(writes.length === 0 ? [UNREACHABLE] : stores), END]
  return [...leb(code.length), ...code]
}

const section = (id: number, content: readonly number[]) => [id, ...leb(content.length), ...content]

const vector = (items: readonly (readonly number[])[]) => [...leb(items.length), ...items.flat()]

function text(value: string): number[] {
  const bytes = [...Buffer.from(value)]
  return [...leb(bytes.length), ...bytes]
}

function leb(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...leb(value >> 7)]
}
