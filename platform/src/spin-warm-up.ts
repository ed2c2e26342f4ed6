/**
 * Runs the bindings of the host interfaces while a component is built, up to where they would ask the host.
 *
 * An instance begins every request in the state the build has left, so whatever the engine does when code first runs
 * (compiling it, making its objects' shapes) it does again in every request, unless it was done by then. Opening a
 * key-value store took 0.13 ms that way, and takes 0.04 ms.
 *
 * @module
 */
import { Store } from 'fermyon:spin/key-value@2.0.0'
import * as variables from 'fermyon:spin/variables@2.0.0'

type KeepShapes = (keeps: boolean) => void

/**
 * Our engine keeps the shapes of all objects that are made meanwhile: it would make most of them again in every request,
 * for each object that a call makes and drops.
 *
 * @default `undefined` with another engine
 */
const keepShapes = (globalThis as { [key: symbol]: KeepShapes | undefined })[
  Symbol.for('ftl.keepShapes')
]

/** Runs what answers requests, only while the component is built. */
export async function rehearse(work: () => Promise<void>): Promise<void> {
  keepShapes?.(true)
  await work()
  keepShapes?.(false)
}

/** Only while the component is built; asks nothing of a host. */
export function warmUpBindings(): void {
  // eslint-disable-next-line @typescript-eslint/unbound-method -- called with the `this` it is called on
  const { encodeInto } = TextEncoder.prototype
  // A binding encodes its text last before it calls the host, and throws where that came to too few bytes. Without
  // this check the build would fail, because there is no host.
  TextEncoder.prototype.encodeInto = function (source, destination) {
    encodeInto.call(this, source, destination)
    return { read: 0, written: 0 }
  }
  try {
    for (const call of [() => Store.open('-'), () => variables.get('-'), getFromNoStore]) {
      // The second time the engine optimises what it has seen once.
      for (let times = 0; times < 2; times++) attempt(call)
    }
  } finally {
    TextEncoder.prototype.encodeInto = encodeInto
  }
}

function getFromNoStore(): void {
  Store.prototype.get.call({} as Store, '-')
}

function attempt(call: () => unknown): void {
  try {
    call()
  } catch {
    // Meant: see above.
  }
}
