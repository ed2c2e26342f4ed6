import express from 'express'

export default () => {
  const app = express()
  app.get('/', (_request, response) => response.send('Hello'))
  return typeof app.handle
}
