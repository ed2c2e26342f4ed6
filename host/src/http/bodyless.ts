/** Methods of requests that only read, and whose body a component does not get. */
const BODYLESS: ReadonlySet<string> = new Set(['GET', 'HEAD'])

export const isBodyless = (method: string): boolean => BODYLESS.has(method)
