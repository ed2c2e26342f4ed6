/** Which components of an application the host runs beside the others. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { isNative, type NativeProgram } from '../native/native-program.ts'
import { markOf, mayHaveMark } from '../wasm/source-mark.ts'

/**
 * The program of a component that was built of one of the host's own sources.
 *
 * Nothing of the file itself is run: what a component says of itself chooses between these sources and the sandbox.
 *
 * @param codes the host's own sources that the component may be built of.
 * @param onOther called if it was built of another version of one.
 * @returns `undefined` for a component that has to run in the sandbox.
 */
export async function nativeProgram(
  source: string,
  codes: readonly string[],
  onOther: () => void = () => undefined,
): Promise<NativeProgram | undefined> {
  if (codes.length === 0) return undefined
  try {
    const mark = (await mayHaveMark(source)) ? markOf(await readFile(source)) : undefined
    if (!mark) return undefined
    const code = codes.find((each) => mark.source === digestOf(each))
    if (code === undefined) {
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

/** The ids of those that run beside the others. */
export function idsBeside(
  programs: readonly { component: { id: string }; program: object }[],
): string[] {
  return programs.filter(({ program }) => isNative(program)).map(({ component: { id } }) => id)
}

function digestOf(code: string): string {
  return createHash('sha256').update(code).digest('hex')
}
