import { Hono } from 'hono'

export default async () => {
  const app = new Hono()
  app.get('/greet/:name', (context) => context.json({ hello: context.req.param('name') }))
  return [await (await app.request('/greet/Ann')).json(), (await app.request('/x')).status]
}
