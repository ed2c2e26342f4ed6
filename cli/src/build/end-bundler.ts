/** The bundler runs in a process of its own, which takes 50 MB and stays until its parent ends. */
import { stop } from 'esbuild'

/** The next build starts it again. No build may run. */
export const endBundler = (): Promise<void> => Promise.resolve(stop())
