/** The pins of an application that is already served. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Host } from 'ftl-host'
import type { Application } from '../application/load-application.ts'
import { paint } from '../terminal/ui.ts'
import { enforcePins } from './enforce.ts'
import { LOCK_FILE } from './lock-file.ts'

/** While an application is developed, its components change with each save. */
export async function announceLock(folder: string, print: (text: string) => void): Promise<void> {
  if (!existsSync(join(folder, LOCK_FILE))) return
  print(paint('dim', `  "ftl dev" does not enforce ${LOCK_FILE}: run "ftl pin" before you deploy`))
}

/**
 * Lets each reload read the lock and the files again, and the gateway ask its components now: its stored catalog may be
 * that of an earlier run.
 */
export function pinnedReloads(
  host: Host,
  application: Application,
  variables: Readonly<Record<string, string>>,
): void {
  const reload = host.reload.bind(host)
  host.reload = async (changes = {}) => {
    const pins = await enforcePins(application, changes.variables ?? variables)
    await reload({
      variables: { ...(changes.variables ?? variables), ...pins?.variables },
      overrides: { ...changes.overrides, ...pins?.overrides },
    })
    compareNow(host)
  }
  compareNow(host)
}

/** Without a token, a gateway with authentication does not answer; it then compares when a client lists its tools. */
function compareNow({ url }: Host): void {
  void fetch(`${url}/health/components`).then(
    (response) => response.arrayBuffer(),
    () => undefined,
  )
}
