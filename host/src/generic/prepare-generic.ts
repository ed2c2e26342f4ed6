/**
 * From a component that does not take the fast way to what {@link GenericInstance} runs.
 *
 * Nothing of it is kept on disk: reading takes milliseconds, and compiling is the rest.
 */
import { BinaryError } from '../prepare/binary.ts'
import { checkModule } from '../prepare/check-module.ts'
import { limitMemory } from '../prepare/limit-memory.ts'
import { limitTables, ownTables, tableShare } from '../prepare/limit-tables.ts'
import { ownMemory } from '../prepare/module-shape.ts'
import { PAGE_BYTES } from '../prepare/names.ts'
import type { ReadComponent } from './code.ts'
import type { GenericProgram } from './generic-instance.ts'
import { checkImports, exportsHandler, memoryOwners } from './inspect.ts'

export interface PrepareGenericOptions {
  component: ReadComponent
  /** Bytes all memories of an instance may take together. */
  memoryLimit: number
  /** Why it does not take the fast way. */
  reason: string
}

/**
 * @throws {BinaryError} when the component cannot be run.
 * @throws {WebAssembly.CompileError}
 */
export async function prepareGeneric({
  component: { code, modules },
  memoryLimit,
  reason,
}: PrepareGenericOptions): Promise<GenericProgram> {
  if (!exportsHandler(code)) throw new BinaryError('does not export wasi:http/incoming-handler@0.2')
  checkImports(code)
  const shapes = modules.map(checkModule)
  const own = modules.map(ownMemory)
  const owners = memoryOwners(
    code,
    own.map((memory) => memory !== undefined),
  )
  // Each gets what it needs to start, and an equal share of the rest.
  const needed = owners.reduce((sum, at) => sum + (own[at]?.minPages ?? 0) * PAGE_BYTES, 0)
  if (needed > memoryLimit) {
    const need = Math.ceil(needed / 1024 / 1024)
    throw new BinaryError(`needs ${need} MiB of memory to start, more than the limit`)
  }
  const share = (memoryLimit - needed) / Math.max(1, owners.length)
  const tables = modules.map(ownTables)
  const growth = tableShare(
    memoryOwners(
      code,
      tables.map(({ length }) => length > 0),
    ).flatMap((at) => tables[at] ?? []),
  )
  const compiled = await Promise.all(
    modules.map((original, i) => {
      const module = limitTables(original, growth)
      const memory = own[i]
      if (!memory) return WebAssembly.compile(new Uint8Array(module))
      const limited = limitMemory(module, memory.minPages * PAGE_BYTES + share)
      return WebAssembly.compile(limited as Uint8Array<ArrayBuffer>)
    }),
  )
  return { kind: 'generic', modules: compiled, shapes, code, reason }
}
