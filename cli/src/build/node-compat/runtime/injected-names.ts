// What the bundler puts in where a module names one of them without declaring it.
export { Buffer } from './buffer.ts'
export { default as process } from './process.ts'
export { clearImmediate, setImmediate } from './timers.ts'
