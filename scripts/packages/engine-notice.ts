/** Names the third-party code in the folder `engine`, and its licences. */
import { join } from 'node:path'
import { readManifest, REPOSITORY } from './manifest.ts'

export async function engineNotice(): Promise<string> {
  const version = async (name: string) =>
    (await readManifest(join(REPOSITORY, 'node_modules', name))).version
  const [componentize, jco, spin] = await Promise.all([
    version('@bytecodealliance/componentize-js'),
    version('@bytecodealliance/jco-transpile'),
    version('@fermyon/spin-sdk'),
  ])
  return `# The work of others in this folder

- \`componentize-js/\`: @bytecodealliance/componentize-js ${componentize}, Apache-2.0 WITH LLVM-exception; two imports of
  \`src/componentize.js\` are redirected. \`lib/starlingmonkey_embedding.wasm\` is StarlingMonkey (Apache-2.0 WITH
  LLVM-exception, https://github.com/bytecodealliance/StarlingMonkey), which contains SpiderMonkey: MPL-2.0, source at
  https://github.com/mozilla-firefox/firefox, licence at https://mozilla.org/MPL/2.0/.
- \`wasm-tools/\`: @bytecodealliance/jco-transpile ${jco}, Apache-2.0 WITH LLVM-exception; \`index.js\` is ours.
- \`preview1-reactor.wasm\` (from https://github.com/bytecodealliance/wasmtime, with the version of WASI in its names
  changed) and \`wit/deps/\` but for \`spin\`: distributed with @bytecodealliance/jco, Apache-2.0 WITH LLVM-exception.
- \`wit/deps/spin\`: @fermyon/spin-sdk ${spin}, Apache-2.0.
`
}
