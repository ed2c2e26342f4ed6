import got from 'got'

export default ({ server }) => got.post(`${server}/echo`, { json: { name: 'Zoë' } }).json()
