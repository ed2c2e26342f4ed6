import fetch from 'node-fetch'

export default async ({ server }) => {
  const response = await fetch(`${server}/echo`, { method: 'POST', body: '{"name":"Zoë"}' })
  return response.json()
}
