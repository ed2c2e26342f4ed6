/** The commands of `ftl`, each loaded when it is needed: loading all of them takes four times as long as loading one. */
import type { Command } from 'commander'

type Load = () => Promise<Command>

/** By name, in the order of the help. */
export const COMMANDS = commands({
  new: async () => (await import('./commands/new.ts')).newCommand(),
  start: async () => (await import('./commands/start.ts')).startCommand(),
  dev: async () => (await import('./commands/dev.ts')).devCommand(),
  build: async () => (await import('./commands/build.ts')).buildCommand(),
  up: async () => (await import('./commands/up.ts')).upCommand(),
  'spin-config': async () => (await import('./commands/spin-config.ts')).spinConfigCommand(),
  bridge: async () => (await import('./commands/bridge.ts')).bridgeCommand(),
  'bridge-stdio': async () => (await import('./commands/bridge-stdio.ts')).bridgeStdioCommand(),
  test: async () => (await import('./commands/test.ts')).testCommand(),
  tools: async () => (await import('./commands/tools.ts')).toolsCommand(),
  call: async () => (await import('./commands/call.ts')).callCommand(),
  code: async () => (await import('./commands/code.ts')).codeCommand(),
  inspect: async () => (await import('./commands/inspect.ts')).inspectCommand(),
  login: async () => (await import('./commands/login.ts')).loginCommand(),
  logout: async () => (await import('./commands/logout.ts')).logoutCommand(),
  whoami: async () => (await import('./commands/whoami.ts')).whoamiCommand(),
  activity: async () => (await import('./commands/activity.ts')).activityCommand(),
  doctor: async () => (await import('./commands/doctor.ts')).doctorCommand(),
  deploy: async () => (await import('./commands/deploy.ts')).deployCommand(),
  add: async () => (await import('./commands/add.ts')).addCommand(),
  remove: async () => (await import('./commands/add.ts')).removeCommand(),
  publish: async () => (await import('./commands/publish.ts')).publishCommand(),
  key: async () => (await import('./commands/key.ts')).keyCommand(),
  audit: async () => (await import('./commands/audit.ts')).auditCommand(),
  pin: async () => (await import('./commands/pin.ts')).pinCommand(),
  policy: async () => (await import('./commands/policy.ts')).policyCommand(),
  completion: async () => (await import('./commands/completion.ts')).completionCommand(),
  workflows: async () => (await import('./commands/workflows.ts')).workflowsCommand(),
})

/** Commands that other parts of `ftl` run. The command `complete` is not here, because it needs all others. */
export const HIDDEN = commands({
  'build-process': async () => (await import('./commands/dev.ts')).buildProcessCommand(),
  'test-host': async () => (await import('./commands/test-host.ts')).testHostCommand(),
})

/** A map, because users choose the names that are looked up. */
function commands(table: Readonly<Record<string, Load>>): ReadonlyMap<string, Load> {
  return new Map(Object.entries(table))
}
