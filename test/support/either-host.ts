/** Serves components on the embedded host or, if `FTL_TEST_SPIN` names the program, on a real Spin. */
import {
  type HostileComponent,
  startHostile,
  writeApplication,
} from '../hostile/support/application.ts'
import { startSpin } from '../on-spin/spin.ts'
import { freePort } from './command.ts'

const SPIN = process.env['FTL_TEST_SPIN']

export interface EitherHost {
  url: string
  /** What the components have printed. */
  printed: () => string
  close(): Promise<void>
}

export async function startEither(
  components: Readonly<Record<string, HostileComponent>>,
): Promise<EitherHost> {
  if (SPIN === undefined) {
    const { url, logs, close } = await startHostile(components)
    return { url, close, printed: () => logs.map(({ line }) => line).join('\n') }
  }
  const { manifest, remove } = await writeApplication(components)
  try {
    const spin = await startSpin({ spin: SPIN, manifest, port: await freePort(), follow: true })
    return {
      url: spin.url,
      printed: spin.output,
      close: async () => {
        await spin.close()
        await remove()
      },
    }
  } catch (error) {
    await remove()
    throw error
  }
}
