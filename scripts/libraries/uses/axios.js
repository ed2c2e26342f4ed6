import axios from 'axios'

export default async ({ server }) => {
  const { data, status } = await axios.post(`${server}/echo`, { name: 'Zoë' }, { adapter: 'fetch' })
  const failed = await axios
    .get(`${server}/missing`, { adapter: 'fetch' })
    .catch((error) => error.response.status)
  return [status, data, failed]
}
