/** After Prism: its languages add themselves to a global variable. */
import Prism from 'prismjs/components/prism-core.js'

Object.assign(globalThis, { Prism })
