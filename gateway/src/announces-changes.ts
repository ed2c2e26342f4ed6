/** Whether clients may listen for changed lists. */
import type { Settings } from './settings.ts'

export function announcesChanges({
  devBuild,
  listSettings,
}: Pick<Settings, 'devBuild' | 'listSettings'>): boolean {
  return devBuild !== '' || listSettings.changes === 'on'
}
