/** Which gateways of an application the host runs beside its components. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { NativeProgram } from '../native/native-program.ts'
import { markOf } from '../wasm/gateway-mark.ts'

/**
 * The program of a gateway that was built of the host's own source.
 *
 * Nothing of the file itself is run: what a component says of itself chooses between this source and the sandbox.
 *
 * @param code source of the host's gateway.
 * @param onOther called if it was built of another version of it.
 * @returns `undefined` for a component that has to run in the sandbox.
 */
export async function nativeProgram(
  source: string,
  code: string | undefined,
  onOther: () => void = () => undefined,
): Promise<NativeProgram | undefined> {
  if (code === undefined) return undefined
  try {
    const mark = markOf(await readFile(source))
    if (!mark) return undefined
    if (mark.source !== createHash('sha256').update(code).digest('hex')) {
      onOther()
      return undefined
    }
    const { without, server } = mark
    return { kind: 'native', code, without, ...(server && { server }) }
  } catch {
    // What is wrong with the file is said when it is prepared for the sandbox.
    return undefined
  }
}
