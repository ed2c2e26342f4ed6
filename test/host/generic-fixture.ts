import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { HostOptions } from 'ftl-host'
import { wrapComponent } from '../support/wrap-component.ts'
import { type Fixture, MANIFEST, startFixture, temporaryFolder } from './fixture.ts'

const BUILT = fileURLToPath(new URL('../../dist/test/host/', import.meta.url))

export interface GenericFixture extends Fixture {
  /** Which components take the generic way, and why. */
  reasons: { component: string; reason: string }[]
}

/** The fixture application with some of its components made to take the generic way. */
export async function startGeneric(
  generic: readonly ('probe' | 'back')[],
  options: Partial<HostOptions> = {},
): Promise<GenericFixture> {
  const { path: root, remove } = await temporaryFolder()
  const folder = join(root, 'test', 'fixtures', 'host')
  await cp(dirname(MANIFEST), folder, { recursive: true })
  const dist = join(root, 'dist', 'test', 'host')
  await mkdir(dist, { recursive: true })
  for (const id of ['probe', 'back'] as const) {
    const wasm = await readFile(join(BUILT, `${id}.wasm`))
    await writeFile(join(dist, `${id}.wasm`), generic.includes(id) ? wrapComponent(wasm) : wasm)
  }
  const reasons: GenericFixture['reasons'] = []
  const host = await startFixture({
    manifest: folder,
    onGeneric: (event) => reasons.push(event),
    ...options,
  })
  return {
    ...host,
    reasons,
    close: async () => {
      await host.close()
      await remove()
    },
  }
}
