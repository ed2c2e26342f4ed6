/**
 * Lets every module of a test file get `ftl-host` from test/support/ftl-host.ts: a host that runs gateways as `ftl up` does.
 * Modules are loaded by Node itself, which knows no alias.
 */
import { registerHooks } from 'node:module'

const OWN = new URL('./ftl-host.ts', import.meta.url).href

/** Files that share a process share the hook. */
const shared = globalThis as { ftlTestsHost?: true }

if (!shared.ftlTestsHost) {
  shared.ftlTestsHost = true
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'ftl-host' ? { url: OWN, shortCircuit: true } : next(specifier, context),
  })
}
