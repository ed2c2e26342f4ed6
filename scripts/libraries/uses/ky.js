import ky from 'ky'

export default async ({ server }) => [
  await ky.post(`${server}/echo`, { json: { name: 'Zoë' } }).json(),
  await ky.get(`${server}/missing`, { retry: 0 }).catch((error) => error.response.status),
]
