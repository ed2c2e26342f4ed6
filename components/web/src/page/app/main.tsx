/** Where the page begins. */
import { render } from 'preact'
import { App } from './app.tsx'
import { openConversation } from './chat/conversation.ts'
import { loadModel } from './chat/settings.ts'
import { startFollowing } from './jobs/follow.ts'
import { loadTools } from './net/tools.ts'
import { startTheme } from './theme.ts'

startTheme()
await openConversation()
const root = document.querySelector('#page')
if (root) render(<App />, root)
startFollowing()
void loadModel()
void loadTools()
// What could not be had without a network is asked for again.
addEventListener('online', () => {
  void loadModel()
  void loadTools()
})
