/** The application of test/code in a process that a test can kill: `ftl up` or, with `FTL_TEST_SPIN`, a real Spin. */
import { startSpin } from '../on-spin/spin.ts'
import { ftl } from '../support/command.ts'
import { MANIFESTS } from '../support/manifests.ts'
import { SPIN, SPIN_VARIABLES } from './code-host.ts'

export interface KillableHost {
  close(): Promise<void>
  /** Ends it in the middle of whatever it does. */
  kill(): Promise<void>
}

/** @param folder where its stores are kept. */
export async function startKillable(
  port: number,
  folder: string,
  variables: Record<string, string>,
): Promise<KillableHost> {
  const given = Object.entries(SPIN === undefined ? variables : { ...SPIN_VARIABLES, ...variables })
  const args = given.flatMap(([name, value]) => ['--variable', `${name}=${value}`])
  if (SPIN !== undefined) {
    return startSpin({ spin: SPIN, manifest: MANIFESTS.code, port, args, stateDir: folder })
  }
  const listen = `127.0.0.1:${port}`
  const command = ['up', '--from', MANIFESTS.code, '--listen', listen, '--state-dir', folder]
  const host = ftl([...command, ...args])
  await host.printed('Serving')
  const end = async (signal: NodeJS.Signals) => {
    host.signal(signal)
    await host.exited
  }
  return { close: () => end('SIGTERM'), kill: () => end('SIGKILL') }
}
