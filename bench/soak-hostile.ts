/** The mixed load with every hostile guest and client, as tables and an exit code. Started by soak.ts --hostile. */
import { type MixedLoadOptions, mixedLoad, verdicts } from '../test/hostile/support/mixed-load.ts'
import { Report } from './report.ts'

/** @returns whether every property holds. */
export async function soakHostile(options: MixedLoadOptions): Promise<boolean> {
  const load = await mixedLoad(options)
  const report = new Report()
  const settings = report.table('Settings', 'value', 'name')
  for (const [name, value] of Object.entries(load.settings)) settings.row(String(value), name)
  const attacks = report.table('Attacks', 'rounds', 'attacker')
  for (const [name, rounds] of Object.entries(load.attacks)) {
    const problem = load.problems[name]
    attacks.row(String(rounds), problem === undefined ? name : `${name} (last problem: ${problem})`)
  }
  const failures = new Map<string, number>()
  for (const failed of load.good.failed) failures.set(failed, (failures.get(failed) ?? 0) + 1)
  const worst = [...failures].sort(([, a], [, b]) => b - a).slice(0, 10)
  const failed = report.table('Good requests that failed', ' times', 'how')
  for (const [how, times] of worst) failed.row(String(times), how)
  for (const wrong of load.good.wrong.slice(0, 5)) failed.row('wrong', wrong)
  const { lost, threads, files } = load.figures
  const process = report.table('The process at rest', 'count', 'what')
  process.row(String(lost.workers), 'workers lost and replaced')
  process.row(String(lost.repeated), 'requests given to another worker')
  process.row(String(threads), 'threads')
  process.row(String(files), 'open files and sockets')
  const found = verdicts(load)
  const properties = report.table('Properties', 'holds', 'property')
  for (const { holds, property, figure } of found) {
    properties.row(holds ? 'yes' : 'NO', `${property}: ${figure}`)
  }
  return found.every(({ holds }) => holds)
}
