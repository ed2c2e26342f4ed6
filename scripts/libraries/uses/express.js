import express from 'express'

export default async () => {
  const app = express()
  app.get('/', (_request, response) => response.send('Hello'))
  const server = await new Promise((resolve) => {
    const listening = app.listen(0, '127.0.0.1', () => resolve(listening))
  })
  const response = await fetch(`http://127.0.0.1:${server.address().port}/`)
  server.close()
  return response.text()
}
