import { componentWit } from '@bytecodealliance/jco-transpile/wasm-tools'

/** The interfaces a built component imports and exports, as `package:name/interface@version`. */
export async function componentInterfaces(
  component: Uint8Array,
): Promise<{ imports: string[]; exports: string[] }> {
  const wit = await componentWit(component)
  const [, world = ''] = /world root \{([^]*?)\n\}/.exec(wit) ?? []
  const named = (keyword: string) =>
    [...world.matchAll(new RegExp(`^\\s*${keyword} ([^;]+);`, 'gm'))].map(([, name = '']) => name)
  return { imports: named('import'), exports: named('export') }
}
