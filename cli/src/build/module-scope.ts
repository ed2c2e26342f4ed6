/**
 * What module scope may not ask for: chance, and the time since the start.
 *
 * Only a host has them, and there is none while a component is built: asking ends the build with a trap, which knows no
 * line of the author's, and nobody can catch it. So while the author's modules are evaluated, functions that throw stand
 * in their place. Whoever has taken one of them along (`const { random } = Math`) calls the real one later.
 *
 * @module
 */
import type { Plugin } from 'esbuild'

/** The module that must be imported before any other. */
export const MODULE_SCOPE = 'ftl:module-scope'

const SOURCE = `const undo = []
let over
for (const [on, name] of [
  [Math, 'random'],
  [crypto, 'randomUUID'],
  [crypto, 'getRandomValues'],
  [performance, 'now'],
]) {
  const real = on[name]
  undo.push(Object.hasOwn(on, name) ? () => { on[name] = real } : () => delete on[name])
  on[name] = function () {
    if (over) return real.apply(this, arguments)
    throw TypeError(name + '() at module scope is the same in every call. Move it into the handler')
  }
}
export const endModuleScope = () => {
  over = 1
  for (const each of undo) each()
}
`

export const moduleScope: Plugin = {
  name: 'module-scope',
  setup(context) {
    context.onResolve({ filter: /^ftl:module-scope$/ }, ({ path }) => ({ path, namespace: 'ftl' }))
    context.onLoad({ filter: /./, namespace: 'ftl' }, () => ({ contents: SOURCE, loader: 'js' }))
  },
}
