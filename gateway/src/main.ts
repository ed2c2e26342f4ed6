/**
 * The component mcp-gateway: the builder adds the fetch event and hands in the platform.
 *
 * @module
 */
import { createApp } from './app.ts'

// Built once, while the component is built: at run time every request finds it in the snapshot.
const app = createApp()

export default app
