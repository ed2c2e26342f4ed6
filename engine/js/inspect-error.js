/** Errors with their stack, cause and further properties. */
import {
  getOwnPropertyDescriptor,
  hasOwn,
  indexOf,
  isArray,
  matches,
  replaceAll,
  substring,
} from './primordials.js'

/** A property that may be a getter of the author: what it throws must not hide the error that is shown. */
function read(error, key) {
  try {
    const value = error[key]
    return value === undefined || value === null ? '' : `${value}`
  } catch {
    return ''
  }
}

/** The parts of `format`: the head and stack as the base, and the cause as the last property. */
export function errorText(error, className) {
  const ownName = read(error, 'name') || className || 'Error'
  const message = read(error, 'message')
  // A class without a name of its own would show as "Error".
  const name = ownName === 'Error' && className !== '' ? className : ownName
  const head = message === '' ? name : `${name}: ${message}`
  const stack = replaceAll(read(error, 'stack'), /\s+$/g, '')
  const trace = matches(/^\s+at /, stack) || stack === '' ? stack : withoutHead(stack)
  const base = trace === '' ? `[${head}]` : `${head}\n${trace}`
  return {
    name: className,
    base,
    prefix: '',
    last(output, nested) {
      for (const key of ['cause', 'errors']) {
        if (!hasOwn(error, key)) continue
        const descriptor = getOwnPropertyDescriptor(error, key)
        if (descriptor.enumerable && key === 'errors') continue
        if (key === 'errors' && !isArray(descriptor.value)) continue
        output[output.length] =
          `[${key}]: ${'value' in descriptor ? nested(descriptor.value) : '[Getter]'}`
      }
    },
  }
}

/** The stack of another engine, or one that the author wrote, begins with the head. */
function withoutHead(stack) {
  const at = indexOf(stack, '\n    at ')
  return at === -1 ? '' : substring(stack, at + 1)
}
