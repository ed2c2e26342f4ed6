/** The commands of `ftl`, each loaded when it is needed: loading all of them takes four times as long as loading one. */
import type { Command } from 'commander'

type Load = () => Promise<Command>

/** By name, in the order of the help. */
export const COMMANDS = commands({
  new: async () => (await import('./new.ts')).newCommand(),
  start: async () => (await import('./start.ts')).startCommand(),
  dev: async () => (await import('./dev.ts')).devCommand(),
  build: async () => (await import('./build.ts')).buildCommand(),
  up: async () => (await import('./up.ts')).upCommand(),
  backup: async () => (await import('./backup.ts')).backupCommand(),
  restore: async () => (await import('./backup.ts')).restoreCommand(),
  'spin-config': async () => (await import('./spin-config.ts')).spinConfigCommand(),
  bridge: async () => (await import('./bridge.ts')).bridgeCommand(),
  simulator: async () => (await import('./simulator.ts')).simulatorCommand(),
  'bridge-stdio': async () => (await import('./bridge-stdio.ts')).bridgeStdioCommand(),
  test: async () => (await import('./test.ts')).testCommand(),
  tools: async () => (await import('./tools.ts')).toolsCommand(),
  call: async () => (await import('./call.ts')).callCommand(),
  upload: async () => (await import('./upload.ts')).uploadCommand(),
  code: async () => (await import('./code.ts')).codeCommand(),
  inspect: async () => (await import('./inspect.ts')).inspectCommand(),
  login: async () => (await import('./login.ts')).loginCommand(),
  logout: async () => (await import('./logout.ts')).logoutCommand(),
  whoami: async () => (await import('./whoami.ts')).whoamiCommand(),
  activity: async () => (await import('./activity.ts')).activityCommand(),
  doctor: async () => (await import('./doctor.ts')).doctorCommand(),
  deploy: async () => (await import('./deploy.ts')).deployCommand(),
  add: async () => (await import('./add.ts')).addCommand(),
  remove: async () => (await import('./add.ts')).removeCommand(),
  publish: async () => (await import('./publish.ts')).publishCommand(),
  key: async () => (await import('./key.ts')).keyCommand(),
  auth: async () => (await import('./auth.ts')).authCommand(),
  audit: async () => (await import('./audit.ts')).auditCommand(),
  pin: async () => (await import('./pin.ts')).pinCommand(),
  policy: async () => (await import('./policy.ts')).policyCommand(),
  completion: async () => (await import('./completion.ts')).completionCommand(),
  workflows: async () => (await import('./workflows.ts')).workflowsCommand(),
})

/** Commands that other parts of `ftl` run. The command `complete` is not here, because it needs all others. */
export const HIDDEN = commands({
  'build-process': async () => (await import('./dev.ts')).buildProcessCommand(),
  'test-host': async () => (await import('./test-host.ts')).testHostCommand(),
})

/** A map, because users choose the names that are looked up. */
function commands(table: Readonly<Record<string, Load>>): ReadonlyMap<string, Load> {
  return new Map(Object.entries(table))
}
