/**
 * Blocks random numbers and `performance.now()` at module scope.
 *
 * Only a host provides them, and there is no host while a component is built: a call would end the build with a trap
 * that cannot be caught and does not name the author's line. So functions that throw replace them while the author's
 * modules are evaluated. A saved reference (`const { random } = Math`) calls the real function later.
 *
 * Our engine has `Math.random()` while a component is built and reports each call, because libraries call it there.
 */
import type { Plugin } from 'esbuild'

/** The module that must be imported before any other. */
export const MODULE_SCOPE = 'ftl:module-scope'

const SOURCE = `const undo = []
let over
for (const [on, name] of [
  ...(Symbol.for('ftl.textWithin') in globalThis ? [] : [[Math, 'random']]),
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
