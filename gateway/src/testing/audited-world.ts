/** A gateway with an audit log over two tools, one of which fails. */
import { createWorld, several, text, tool, type World, type WorldOptions } from './components.ts'

const message = { type: 'string' }

export function auditedWorld({ variables, components, ...options }: WorldOptions = {}): World {
  return createWorld({
    ...options,
    components: {
      one: several(
        [tool('a', { message, key: { ...message, writeOnly: true } }), tool('bad')],
        (name) => (name === 'bad' ? { ...text('no'), isError: true } : text(name)),
      ),
      ...components,
    },
    variables: { call_settings: 'audit=on', ...variables },
  })
}
