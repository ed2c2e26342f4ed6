/** Checks the file itself, before it runs. */
import { componentInterfaces, type ComponentInterfaces } from 'ftl-host'
import { CONTRACT, type Verdict } from './check.ts'

const HANDLER = /^wasi:http\/incoming-handler@0\.2\.\d+$/
/** Interfaces of WASI 0.2 and Spin that `spin up`, SpinKube, Akamai Functions and the embedded host all link. */
const WORLD = [
  /^wasi:(?:cli|clocks|filesystem|http|io|random|sockets)\/[a-z-]+@0\.2\.\d+$/,
  /^fermyon:spin\/(?:key-value|variables)@2\.0\.0$/,
]

/** Whether the file is a component that handles HTTP, and whether every platform has its imports. */
export function binaryVerdicts(file: string, bytes: Uint8Array): Verdict[] {
  let interfaces: ComponentInterfaces
  try {
    interfaces = componentInterfaces(bytes)
  } catch (error) {
    return [isComponent(`${file} ${(error as Error).message}`, coreFix(error as Error))]
  }
  const { imports, exports } = interfaces
  if (!exports.some((name) => HANDLER.test(name))) {
    const found = exports.length > 0 ? exports.join(', ') : 'nothing'
    return [
      isComponent(
        `${file} does not export wasi:http/incoming-handler@0.2.x (it exports ${found})`,
        'Build it for HTTP: use ftl build, or the proxy world of another toolchain.',
      ),
    ]
  }
  const outside = imports.filter((name) => !WORLD.some((pattern) => pattern.test(name)))
  return [isComponent(), importsOf(outside)]
}

function isComponent(reason?: string, fix?: string): Verdict {
  const rule = 'the file is a component that handles HTTP requests'
  const rest = { id: 'component.handler', rule, section: CONTRACT }
  return reason === undefined
    ? { ...rest, verdict: 'pass' }
    : { ...rest, verdict: 'fail', reason, fix }
}

function importsOf(outside: string[]): Verdict {
  const rule = 'it imports only interfaces that every platform provides'
  const rest = { id: 'component.imports', rule, section: CONTRACT }
  if (outside.length === 0) return { ...rest, verdict: 'pass' }
  return {
    ...rest,
    verdict: 'fail',
    reason: `it imports ${outside.join(', ')}`,
    fix: 'A component with an import that the platform does not provide cannot be loaded. Use only the interfaces of wit/world.wit.',
  }
}

function coreFix({ message }: Error): string {
  return message.includes('core module')
    ? 'Build a component: --target wasm32-wasip2 for Rust, or wasm-tools component new for a core module.'
    : 'Pass the .wasm file of a component. ftl build builds the components of spin.toml.'
}
